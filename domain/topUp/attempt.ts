import type { TopUpEvent } from '../../contracts/events/topUp.ts'
import { unexpected } from '../decider.ts'

export type AttemptStatus = 'STARTED' | 'NEEDS_CONFIRMATION' | 'SUCCEEDED' | 'DECLINED' | 'GIVEN_UP'

type Started = Extract<TopUpEvent, { type: 'TopUpStarted' }>['data']

/** One payment that top-up makes without a person, as its start recorded it, and what has become of it. */
export type Attempt = Started & {
  readonly status: AttemptStatus
  readonly paymentIntentId: string | null
  /** Where and until when the payment can be confirmed, if its bank asks for that. */
  readonly confirmUrl: string | null
  readonly confirmBy: string | null
  /** Why it was declined or given up. */
  readonly reason: string | null
  readonly endedAt: string | null
}

export function startedAttempt(data: Started): Attempt {
  const open = { paymentIntentId: null, confirmUrl: null, confirmBy: null, reason: null, endedAt: null }
  return { ...data, status: 'STARTED', ...open }
}

/** A running attempt may still be paid, so no other one may start. */
export function isRunning({ status }: Pick<Attempt, 'status'>): boolean {
  return status === 'STARTED' || status === 'NEEDS_CONFIRMATION'
}

/** Whether the attempt counts against the ceiling of its month. */
export function countsAsSpent(attempt: Pick<Attempt, 'status'>): boolean {
  return isRunning(attempt) || attempt.status === 'SUCCEEDED'
}

type Progress = Exclude<Extract<TopUpEvent, { data: { attemptId: string } }>, { type: 'TopUpStarted' }>

export function evolveAttempt(attempt: Attempt, event: Progress): Attempt {
  switch (event.type) {
    case 'TopUpSucceeded': {
      const { paymentIntentId, succeededAt: endedAt } = event.data
      return { ...attempt, status: 'SUCCEEDED', paymentIntentId, reason: null, endedAt }
    }
    case 'TopUpDeclined': {
      const { paymentIntentId, reason, declinedAt: endedAt } = event.data
      return { ...attempt, status: 'DECLINED', paymentIntentId, reason, endedAt }
    }
    case 'TopUpConfirmationNeeded': {
      const { paymentIntentId, confirmUrl, confirmBy } = event.data
      return { ...attempt, status: 'NEEDS_CONFIRMATION', paymentIntentId, confirmUrl, confirmBy }
    }
    case 'TopUpGivenUp': {
      const { reason, givenUpAt: endedAt } = event.data
      return { ...attempt, status: 'GIVEN_UP', reason, endedAt }
    }
    default:
      return unexpected(event)
  }
}
