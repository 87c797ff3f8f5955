import { streamName } from '../../../contracts/streams.ts'
import { companyDecider } from '../../../domain/company/decider.ts'
import { disputeDecider } from '../../../domain/dispute/decider.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { type Cause, contextOf, type PaymentEventDependencies } from './paymentEventDependencies.ts'

type Parts = Pick<PaymentEventDependencies, 'commands' | 'clock' | 'disputesSuspend'>

/**
 * Suspends the company while the dispute is open, if the installation is set so, and ends that suspension afterwards. It
 * ends only if every dispute that suspended the company is over and no person suspended it too.
 */
export async function followDisputeSuspension(
  parts: Parts,
  cause: Cause,
  { disputeId, companyId }: { readonly disputeId: string; readonly companyId: string },
): Promise<void> {
  const { commands, clock, disputesSuspend } = parts
  const stream = streamName('company', companyId)
  const isOpen = async (id: string) =>
    (await commands.stateOf(disputeDecider, streamName('dispute', id))).status === 'open'
  const at = () => isoTime(clock.now())
  const company = await commands.stateOf(companyDecider, stream)
  if (company.status === 'unknown') return
  if (disputesSuspend && (await isOpen(disputeId))) {
    const reason = `payment disputed: ${disputeId}`
    const command = { type: 'SuspendCompany', companyId, reason, disputeId, at: at() } as const
    await commands.handle(companyDecider, stream, command, { ...contextOf(cause), commandId: `suspend:${cause.id}` })
  }
  // The dispute may have been closed while this suspended the company, so whether it is open is read again.
  const { suspension } = await presentCompany(parts, companyId)
  if (!suspension || suspension.disputes.length === 0) return
  const overDisputes: string[] = []
  for (const id of suspension.disputes) if (!(await isOpen(id))) overDisputes.push(id)
  const command = { type: 'ResumeCompany', companyId, overDisputes, at: at() } as const
  // When the event is processed again, other disputes may be over, which is another command.
  const commandId = `resume:${cause.id}:${overDisputes.join(':')}`
  await commands.handle(companyDecider, stream, command, { ...contextOf(cause), commandId })
}

async function presentCompany({ commands }: Parts, companyId: string) {
  const state = await commands.stateOf(companyDecider, streamName('company', companyId))
  return state.status === 'unknown' ? { suspension: undefined } : state
}
