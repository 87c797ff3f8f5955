import type { Recorded } from '../../../../contracts/envelope.ts'
import type { DisputeEvent, DisputeStatus } from '../../../../contracts/events/dispute.ts'
import { streamName } from '../../../../contracts/streams.ts'
import type { TypedEventStore } from '../../../../platform/eventStore/port.ts'
import type { Words } from './composeMail.ts'
import { mailTime } from './mailTimes.ts'

/** A payment was disputed, or the dispute has ended. Those who look after the company's credits and super admins are told. */
export type DisputeCause = {
  readonly kind: 'dispute_opened' | 'dispute_closed'
  readonly companyId: string
  readonly at: string
  readonly to: 'company' | 'operators'
  readonly disputeId: string
  readonly status: DisputeStatus
  readonly reason: string
  readonly amountMinor: string
  readonly currency: string
  readonly respondBy: string | null
}

export function disputeCauses({ type, data }: Recorded<DisputeEvent>): DisputeCause[] {
  if (type === 'DisputeUpdated') return []
  const { companyId, disputeId, facts, saidAt: at } = data
  const { status, reason, amountMinor, currency, respondBy } = facts
  const kind = type === 'DisputeOpened' ? 'dispute_opened' : 'dispute_closed'
  const cause = { kind, companyId, at, disputeId, status, reason, amountMinor, currency, respondBy } as const
  return [
    { ...cause, to: 'company' },
    { ...cause, to: 'operators' },
  ]
}

/** Whether the dispute is still open, or still ended like this. */
export async function isDisputeSo(
  store: Pick<TypedEventStore, 'readStream'>,
  { kind, disputeId, status }: DisputeCause,
): Promise<boolean> {
  let end: DisputeStatus | null = null
  for await (const { type, data } of store.readStream(streamName('dispute', disputeId))) {
    if (type === 'DisputeClosed') end = data.facts.status
  }
  return end === (kind === 'dispute_opened' ? null : status)
}

export function disputeWords(cause: DisputeCause, company: string, money: string): Words {
  const { to, kind, reason, disputeId, respondBy } = cause
  const isForOperators = to === 'operators'
  if (kind === 'dispute_opened') {
    const forCompany =
      'If the payment was yours, ask your bank to withdraw the dispute: the credits are given back when it ends in favour of the payment. Please contact the operator of this service.'
    const forOperators = `${
      respondBy === null
        ? 'It has no deadline.'
        : `Evidence can be submitted at the payment provider until ${mailTime(respondBy)}.`
    } The console lists it under Payments.`
    return {
      subject: `Payment disputed: ${money} of ${company}`,
      paragraphs: [
        `The payment of ${money} of ${company} is disputed with the bank of the cardholder (dispute ${disputeId}, reason: ${reason}). The credits that it paid for are withdrawn.`,
        isForOperators ? forOperators : forCompany,
      ],
    }
  }
  return {
    subject: `Dispute ended: ${money} of ${company}`,
    paragraphs: [`The dispute ${disputeId} about a payment of ${money} of ${company} has ended. ${endOf(cause)}`],
  }
}

function endOf({ status }: DisputeCause): string {
  if (status === 'LOST') return 'The bank decided for the cardholder, so the credits stay withdrawn.'
  const how = status === 'WON' ? 'The bank decided for the payment' : 'It was withdrawn'
  return `${how}, so the credits were given back.`
}
