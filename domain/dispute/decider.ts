import type { DisputedPayment, DisputeEvent, DisputeFacts } from '../../contracts/events/dispute.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import {
  type Answer,
  compareReports,
  type Known,
  knownFromAnswer,
  type Report,
  secondOfAnswer,
} from '../providerReport.ts'

export type DisputeState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'open' | 'closed'
      readonly companyId: string
      readonly payment: DisputedPayment
      readonly known: Known<DisputeFacts>
    }

export function isClosed({ status }: DisputeFacts): boolean {
  return status === 'WON' || status === 'LOST' || status === 'WITHDRAWN'
}

export function evolve(state: DisputeState, event: DisputeEvent): DisputeState {
  const { facts, saidAt, askedAt } = event.data
  const known = askedAt === null ? { facts, saidAt, answered: false } : knownFromAnswer({ facts, saidAt, askedAt })
  const status = isClosed(facts) ? 'closed' : 'open'
  switch (event.type) {
    case 'DisputeOpened':
      return { status, companyId: event.data.companyId, payment: event.data.payment, known }
    case 'DisputeUpdated':
    case 'DisputeClosed':
      return state.status === 'unknown' ? state : { ...state, status, known }
    default:
      return unexpected(event)
  }
}

export type DisputeCommand = {
  readonly type: 'ReportDispute'
  readonly disputeId: string
  readonly companyId: string
  readonly payment: DisputedPayment
  /** The provider's time of the dispute. */
  readonly openedAt: string
  readonly facts: DisputeFacts
  readonly saidAt: string
  /** The provider's answer, required if `mustAsk` returned true. */
  readonly answer: Answer<DisputeFacts> | null
}

/** Whether the report contradicts another one of the same second. */
export function mustAsk(state: DisputeState, report: Report<DisputeFacts>): boolean {
  return state.status !== 'unknown' && compareReports(state.known, report, isClosed) === 'ask'
}

export function decide(command: DisputeCommand, state: DisputeState): DisputeEvent[] {
  const { disputeId, companyId, payment, openedAt } = command
  const report = newestOf(command, state)
  if (!report) return []
  const data = { disputeId, companyId, ...report }
  const isOver = isClosed(report.facts)
  if (state.status === 'unknown') {
    const opened: DisputeEvent = { type: 'DisputeOpened', data: { ...data, payment, openedAt } }
    return isOver ? [opened, { type: 'DisputeClosed', data }] : [opened]
  }
  const ends = isOver && state.known.facts.status !== report.facts.status
  return [{ type: ends ? 'DisputeClosed' : 'DisputeUpdated', data }]
}

/** What to record; null if the report is outdated. A report without news is recorded too: it outdates those before it. */
function newestOf(
  { disputeId, facts, saidAt, answer }: DisputeCommand,
  state: DisputeState,
): (Report<DisputeFacts> & { readonly askedAt: string | null }) | null {
  if (state.status === 'unknown') return { facts, saidAt, askedAt: null }
  const { known } = state
  switch (compareReports(known, { facts, saidAt }, isClosed)) {
    case 'newer':
      return { facts, saidAt, askedAt: null }
    case 'older':
      return null
    case 'ask': {
      if (!answer) throw new Refusal('CONFLICT', `the provider has to be asked about dispute ${disputeId}`)
      const { facts: answered, askedAt } = answer
      return { facts: answered, saidAt: secondOfAnswer(saidAt, askedAt), askedAt }
    }
    default:
      throw new Error('reports are newer, older or equally old')
  }
}

/**
 * How much of the payment the dispute takes: all that is disputed while it is open and after it was lost. A dispute in
 * another currency than the payment takes all of it, because a rate is not known.
 */
export function disputedMinor({ payment, known }: Exclude<DisputeState, { status: 'unknown' }>): string {
  const { status, amountMinor, currency } = known.facts
  if (status === 'WON' || status === 'WITHDRAWN') return '0'
  return currency === payment.currency ? amountMinor : payment.chargedMinor
}

export const disputeDecider: Decider<DisputeState, DisputeCommand, DisputeEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}
