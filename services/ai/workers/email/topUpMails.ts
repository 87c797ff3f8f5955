import type { Recorded } from '../../../../contracts/envelope.ts'
import type { TopUpEvent, TopUpOffReason } from '../../../../contracts/events/topUp.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { fold } from '../../../../domain/decider.ts'
import { DECLINES_MAX, topUpDecider } from '../../../../domain/topUp/decider.ts'
import type { TypedEventStore } from '../../../../platform/eventStore/port.ts'
import type { Words } from './composeMail.ts'
import { mailTime } from './mailTimes.ts'

/** A payment of automatic top-up needs a person, or top-up was switched off because too many were declined. */
export type TopUpCause = { readonly companyId: string; readonly at: string } & (
  | {
      readonly kind: 'top_up_confirmation'
      readonly attemptId: string
      readonly amountMinor: string
      readonly currency: string
      readonly confirmUrl: string | null
      readonly confirmBy: string
    }
  | {
      readonly kind: 'top_up_declined'
      readonly attemptId: string
      readonly amountMinor: string
      readonly currency: string
      readonly reason: string
    }
  | { readonly kind: 'top_up_off'; readonly reason: Exclude<TopUpOffReason, 'ADMIN'> }
)

export function isTopUpCause<Cause extends { readonly kind: string }>(
  cause: Cause,
): cause is Extract<Cause, { kind: TopUpCause['kind'] }> {
  return cause.kind.startsWith('top_up_')
}

/** null if the event needs no action by a person. */
export function topUpCause({ type, data }: Recorded<TopUpEvent>): TopUpCause | null {
  switch (type) {
    case 'TopUpConfirmationNeeded': {
      const { companyId, attemptId, amountMinor, currency, confirmUrl, confirmBy, askedAt: at } = data
      return { kind: 'top_up_confirmation', companyId, at, attemptId, amountMinor, currency, confirmUrl, confirmBy }
    }
    case 'TopUpDeclined': {
      const { companyId, attemptId, amountMinor, currency, reason, declinedAt: at } = data
      return { kind: 'top_up_declined', companyId, at, attemptId, amountMinor, currency, reason }
    }
    case 'TopUpSwitchedOff':
      return data.reason === 'ADMIN'
        ? null
        : { kind: 'top_up_off', companyId: data.companyId, reason: data.reason, at: data.switchedOffAt }
    default:
      return null
  }
}

/** Whether there is still something to do. The mail that top-up is off replaces that of the last decline. */
export async function isTopUpSo(store: Pick<TypedEventStore, 'readStream'>, cause: TopUpCause): Promise<boolean> {
  const events: TopUpEvent[] = []
  for await (const event of store.readStream(streamName('topUp', cause.companyId))) events.push(event)
  const state = fold(topUpDecider, events)
  if (cause.kind === 'top_up_off') return state.status === 'off' && state.offReason === cause.reason
  const isOff = state.status === 'off' && state.offReason === 'DECLINED'
  const attempt = state.attempts.find(({ attemptId }) => attemptId === cause.attemptId)
  if (cause.kind === 'top_up_confirmation') return attempt?.status === 'NEEDS_CONFIRMATION'
  return attempt?.status === 'DECLINED' && !(isOff && state.attempts[0] === attempt)
}

export function topUpWords(cause: TopUpCause, company: string, moneyOf: (of: Money) => string): Words {
  switch (cause.kind) {
    case 'top_up_confirmation': {
      const { confirmUrl: url, confirmBy } = cause
      const until = mailTime(confirmBy)
      return {
        subject: `Please confirm a payment of ${moneyOf(cause)} for ${company}`,
        paragraphs: [
          `The balance of ${company} has fallen below the threshold of automatic top-up, and the bank asks you to confirm the payment of ${moneyOf(cause)}.`,
          `Nothing is charged until you confirm it. After ${until} it can no longer be confirmed, and no credits are added.`,
        ],
        link: url !== null && /^https?:\/\//.test(url) ? { label: 'Confirm the payment', url } : null,
      }
    }
    case 'top_up_declined':
      return {
        subject: `Automatic top-up failed: ${moneyOf(cause)} for ${company}`,
        paragraphs: [
          `The payment of ${moneyOf(cause)} by automatic top-up of ${company} was declined: ${cause.reason}`,
          'It is not repeated for this fall of the balance. Please buy a credit pack, or check the payment method: saving another one at a checkout or changing the settings tries again.',
        ],
      }
    case 'top_up_off':
      return {
        subject: `Automatic top-up of ${company} is switched off`,
        paragraphs: OFF_PARAGRAPHS[cause.reason](company),
      }
  }
}

const OFF_PARAGRAPHS: Readonly<
  Record<Extract<TopUpCause, { kind: 'top_up_off' }>['reason'], (company: string) => string[]>
> = {
  DECLINED: (company) => [
    `${DECLINES_MAX} payments in a row by automatic top-up of ${company} were declined, so it is switched off and the balance is no longer topped up.`,
    'Please buy a credit pack with a payment method that works, save it at the checkout, and switch automatic top-up on again under Billing in the console.',
  ],
  PAYMENT_RETURNED: (company) => [
    `A payment by automatic top-up of ${company} was given back, by a refund or a dispute. So that it is not made again, automatic top-up is switched off.`,
    'If you still want it, switch it on again under Billing in the console.',
  ],
}

type Money = { readonly amountMinor: string; readonly currency: string }
