import type { SubscriptionEvent, SubscriptionFacts, SubscriptionStatus } from '../../contracts/events/subscription.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { type Answer, compareReports, type Known, knownFromAnswer, type Report } from '../providerReport.ts'

export type SubscriptionState = {
  /** null if nothing is known about the subscription. */
  readonly companyId: string | null
  readonly known: Known<SubscriptionFacts> | null
  /** Set while another plan is agreed for the next period. */
  readonly nextPlanId?: string | null
  /** Set once the subscription was found to be the company's second one. */
  readonly duplicate?: { readonly keptSubscriptionId: string; readonly isEnded: boolean }
}

export function isFinal({ status }: SubscriptionFacts): boolean {
  return status === 'CANCELED'
}

/** Whether the company may use the subscription; a late payment does not end it at once. */
export function isActive(status: SubscriptionStatus): boolean {
  return status === 'ACTIVE' || status === 'TRIALING' || status === 'PAST_DUE'
}

/** What is known after a report of the provider. An answer applies to the second that was asked about. */
export function learn(
  known: Known<SubscriptionFacts> | null,
  event: Extract<SubscriptionEvent, { data: Report<SubscriptionFacts> }>,
): Known<SubscriptionFacts> | null {
  if (event.type === 'SubscriptionAnswered') return knownFromAnswer(event.data)
  const { facts, saidAt } = event.data
  return compareReports(known, event.data, isFinal) === 'newer' ? { facts, saidAt, answered: false } : known
}

/** What is known after an operator's deactivation: final, whatever the provider reports later. */
export function deactivated(known: Known<SubscriptionFacts> | null, at: string): Known<SubscriptionFacts> {
  const facts = { ...(known?.facts ?? UNKNOWN_FACTS), status: 'CANCELED', endedAt: at } as const
  return { facts, saidAt: known?.saidAt ?? at, answered: true }
}

const UNKNOWN_FACTS: SubscriptionFacts = {
  status: 'INCOMPLETE',
  planId: null,
  startedAt: null,
  endedAt: null,
  trialEndAt: null,
  periodEndAt: null,
  cancelAtPeriodEnd: false,
}

export function evolve(state: SubscriptionState, event: SubscriptionEvent): SubscriptionState {
  const { companyId } = event.data
  switch (event.type) {
    case 'SubscriptionCreated':
    case 'SubscriptionUpdated':
    case 'SubscriptionPaused':
    case 'SubscriptionResumed':
    case 'SubscriptionCanceled':
    case 'SubscriptionTrialEnding':
    case 'SubscriptionAnswered':
      return withoutReachedPlan({ ...state, companyId, known: learn(state.known, event) })
    case 'SubscriptionCheckedOut':
    case 'SubscriptionRenewalAnnounced':
      return { ...state, companyId }
    case 'SubscriptionDeactivated':
      return { ...state, companyId, known: deactivated(state.known, event.data.deactivatedAt) }
    case 'SubscriptionPlanScheduled':
      return { ...state, companyId, nextPlanId: event.data.planId }
    case 'SubscriptionDuplicateFound':
    case 'SubscriptionDuplicateEnded': {
      const { keptSubscriptionId } = event.data
      const isEnded = event.type === 'SubscriptionDuplicateEnded'
      return { ...state, companyId, duplicate: { keptSubscriptionId, isEnded } }
    }
    default:
      return unexpected(event)
  }
}

/** An agreed plan is no longer the next one once it is in force, so that it can be agreed again after another change. */
function withoutReachedPlan(state: SubscriptionState): SubscriptionState {
  const isReached = state.nextPlanId != null && state.nextPlanId === state.known?.facts.planId
  return isReached ? { ...state, nextPlanId: null } : state
}

/** What the provider reported, by the type of our event that records it. */
export type SubscriptionNews =
  | 'SubscriptionCreated'
  | 'SubscriptionUpdated'
  | 'SubscriptionPaused'
  | 'SubscriptionResumed'
  | 'SubscriptionCanceled'
  | 'SubscriptionTrialEnding'

export type SubscriptionCommand =
  | {
      readonly type: 'RecordSubscription'
      readonly news: SubscriptionNews
      readonly subscriptionId: string
      readonly companyId: string
      readonly saidAt: string
      readonly facts: SubscriptionFacts
      /** The provider's answer, required if `mustAsk` returned true. */
      readonly answer: Answer<SubscriptionFacts> | null
    }
  | {
      /** The provider's answer to a change that we requested. */
      readonly type: 'RecordAnswer'
      readonly subscriptionId: string
      readonly answer: Answer<SubscriptionFacts>
    }
  | {
      readonly type: 'CheckOutSubscription'
      readonly subscriptionId: string
      readonly companyId: string
      readonly saidAt: string
      readonly sessionId: string
      readonly planId: string | null
      readonly userId: string | null
    }
  | {
      readonly type: 'AnnounceRenewal'
      readonly subscriptionId: string
      readonly companyId: string
      readonly saidAt: string
      readonly amountMinor: string
      readonly currency: string
      readonly renewsAt: string | null
    }
  | {
      readonly type: 'SchedulePlan'
      readonly subscriptionId: string
      readonly planId: string | null
      readonly at: string
    }
  | {
      readonly type: 'MarkDuplicate'
      readonly subscriptionId: string
      readonly keptSubscriptionId: string
      readonly at: string
    }
  | {
      readonly type: 'EndDuplicate'
      readonly subscriptionId: string
      readonly refunded: { readonly amountMinor: string; readonly currency: string } | null
      readonly at: string
    }
  | { readonly type: 'DeactivateSubscription'; readonly subscriptionId: string; readonly at: string }

/** Whether the report contradicts another one of the same second, or an answer from within that second. */
export function mustAsk({ known }: SubscriptionState, report: Report<SubscriptionFacts>): boolean {
  return compareReports(known, report, isFinal) === 'ask'
}

export function decide(command: SubscriptionCommand, state: SubscriptionState): SubscriptionEvent[] {
  const { subscriptionId } = command
  const isOver = state.known !== null && isFinal(state.known.facts)
  switch (command.type) {
    case 'RecordSubscription': {
      const { news, companyId, saidAt, facts, answer } = command
      const report = { subscriptionId, companyId, saidAt }
      const recorded = { type: news, data: { ...report, facts } }
      if (mustAsk(state, command)) {
        if (!answer) throw new Refusal('CONFLICT', `the provider has to be asked about subscription ${subscriptionId}`)
        const settled = { type: 'SubscriptionAnswered', data: { ...report, ...answer } } as const
        return isOver || isFinal(answer.facts) ? [settled] : [recorded, settled]
      }
      // Older reports are recorded too, because a notification may follow from them, until a final state.
      return isOver && compareReports(state.known, command, isFinal) === 'older' ? [] : [recorded]
    }
    case 'RecordAnswer': {
      const companyId = requireKnown(state, subscriptionId)
      if (isOver) return []
      const data = {
        subscriptionId,
        companyId,
        saidAt: state.known?.saidAt ?? BEFORE_EVERY_REPORT,
        ...command.answer,
      }
      return [{ type: 'SubscriptionAnswered', data }]
    }
    case 'CheckOutSubscription': {
      const { type, ...data } = command
      return [{ type: 'SubscriptionCheckedOut', data }]
    }
    case 'AnnounceRenewal': {
      const { type, ...data } = command
      return [{ type: 'SubscriptionRenewalAnnounced', data }]
    }
    case 'SchedulePlan': {
      const companyId = requireKnown(state, subscriptionId)
      const { planId, at } = command
      if (isOver || (state.nextPlanId ?? null) === planId) return []
      return [{ type: 'SubscriptionPlanScheduled', data: { subscriptionId, companyId, planId, scheduledAt: at } }]
    }
    case 'MarkDuplicate': {
      const companyId = requireKnown(state, subscriptionId)
      // One that has ended needs no end.
      if (state.duplicate || isOver) return []
      const { keptSubscriptionId, at } = command
      const data = { subscriptionId, companyId, keptSubscriptionId, foundAt: at }
      return [{ type: 'SubscriptionDuplicateFound', data }]
    }
    case 'EndDuplicate': {
      const companyId = requireKnown(state, subscriptionId)
      if (!state.duplicate) throw new Refusal('INVALID', `subscription ${subscriptionId} is not a duplicate`)
      if (state.duplicate.isEnded) return []
      const { refunded, at } = command
      const { keptSubscriptionId } = state.duplicate
      const data = { subscriptionId, companyId, keptSubscriptionId, refunded, endedAt: at }
      return [{ type: 'SubscriptionDuplicateEnded', data }]
    }
    case 'DeactivateSubscription': {
      const companyId = requireKnown(state, subscriptionId)
      if (isOver) return []
      const data = { subscriptionId, companyId, deactivatedAt: command.at }
      return [{ type: 'SubscriptionDeactivated', data }]
    }
    default:
      return unexpected(command)
  }
}

/** The time of an answer that came before any event: every report of the provider is newer. */
const BEFORE_EVERY_REPORT = '1970-01-01T00:00:00.000Z'

function requireKnown({ companyId }: SubscriptionState, subscriptionId: string): string {
  if (companyId === null) throw new Refusal('NOT_FOUND', `there is no subscription ${subscriptionId}`)
  return companyId
}

export const subscriptionDecider: Decider<SubscriptionState, SubscriptionCommand, SubscriptionEvent> = {
  initialState: () => ({ companyId: null, known: null }),
  evolve,
  decide,
}
