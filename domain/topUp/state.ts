import type { TopUpEvent, TopUpOffReason } from '../../contracts/events/topUp.ts'
import { unexpected } from '../decider.ts'
import { type Attempt, countsAsSpent, evolveAttempt, isRunning, startedAttempt } from './attempt.ts'

/** The attempts that are kept, so that the state of a company does not grow for ever. */
const ATTEMPTS_KEPT_MAX = 20

export type TopUpMethod = { readonly methodId: string; readonly customerId: string; readonly agreedBy: string }

export type TopUpSettings = {
  readonly thresholdMicros: bigint
  readonly packId: string
  readonly ceilingMinor: bigint
  readonly currency: string
  readonly setBy: string
}

export type TopUpState = {
  readonly status: 'on' | 'off'
  /** Why it is off; null if it is on or was never on. */
  readonly offReason: TopUpOffReason | null
  readonly method: TopUpMethod | null
  /** The purchase at whose checkout the last method was saved, whether it was removed since or not. */
  readonly savedBy: string | null
  /** Kept while top-up is off. */
  readonly settings: TopUpSettings | null
  /** Counts the changes of method and settings. */
  readonly changes: number
  /** All credits ever granted at the last attempt; null if there was none. */
  readonly triedAtMicros: bigint | null
  /** The last attempt failed, and the method or the settings have changed since, so the same fall may be tried again. */
  readonly mayRepeat: boolean
  readonly declinesInARow: number
  /** What the attempts of the newest month with an attempt cost together. */
  readonly spent: { readonly month: string; readonly minor: bigint }
  /** The last ones, newest first. Only the first one can be running. */
  readonly attempts: readonly Attempt[]
}

export const INITIAL: TopUpState = {
  status: 'off',
  offReason: null,
  method: null,
  savedBy: null,
  settings: null,
  changes: 0,
  triedAtMicros: null,
  mayRepeat: false,
  declinesInARow: 0,
  spent: { month: '', minor: 0n },
  attempts: [],
}

export function evolve(state: TopUpState, event: TopUpEvent): TopUpState {
  switch (event.type) {
    case 'TopUpMethodSaved': {
      const { methodId, customerId, agreedBy, purchaseId: savedBy } = event.data
      return { ...changed(state), method: { methodId, customerId, agreedBy }, savedBy }
    }
    case 'TopUpMethodRemoved':
      return { ...state, method: null }
    case 'TopUpSet': {
      const { thresholdMicros, packId, ceilingMinor, currency, setBy } = event.data
      const amounts = { thresholdMicros: BigInt(thresholdMicros), ceilingMinor: BigInt(ceilingMinor) }
      const settings = { ...amounts, packId, currency, setBy }
      return { ...changed(state), status: 'on', offReason: null, declinesInARow: 0, settings }
    }
    case 'TopUpSwitchedOff':
      return { ...state, status: 'off', offReason: event.data.reason }
    case 'TopUpStarted': {
      const attempt = startedAttempt(event.data)
      const attempts = [attempt, ...state.attempts].slice(0, ATTEMPTS_KEPT_MAX)
      const triedAtMicros = BigInt(attempt.grantsMicros)
      return { ...state, triedAtMicros, mayRepeat: false, attempts, spent: addedTo(state.spent, attempt, 1n) }
    }
    case 'TopUpSucceeded':
      return { ...progressed(state, event), declinesInARow: 0 }
    case 'TopUpDeclined':
      return { ...progressed(state, event), declinesInARow: state.declinesInARow + 1 }
    case 'TopUpConfirmationNeeded':
    case 'TopUpGivenUp':
      return progressed(state, event)
    default:
      return unexpected(event)
  }
}

export function runningAttempt({ attempts: [newest] }: TopUpState): Attempt | null {
  return newest && isRunning(newest) ? newest : null
}

/** What attempts of this month cost together, with the one that is running. */
export function spentInMonth({ spent }: TopUpState, month: string): bigint {
  return spent.month === month ? spent.minor : 0n
}

/** The balance has fallen below the threshold since the last attempt, or what made that attempt fail has changed. */
export function isNewFall({ triedAtMicros, mayRepeat }: TopUpState, grantsMicros: bigint): boolean {
  if (triedAtMicros === null || grantsMicros > triedAtMicros) return true
  return mayRepeat && grantsMicros === triedAtMicros
}

function changed(state: TopUpState): TopUpState {
  const [newest] = state.attempts
  const hasFailed = newest?.status === 'DECLINED' || newest?.status === 'GIVEN_UP'
  return { ...state, changes: state.changes + 1, mayRepeat: state.mayRepeat || hasFailed }
}

type Progress = Parameters<typeof evolveAttempt>[1]

function progressed(state: TopUpState, event: Progress): TopUpState {
  const at = state.attempts.findIndex(({ attemptId }) => attemptId === event.data.attemptId)
  const before = state.attempts[at]
  if (!before) return state
  const after = evolveAttempt(before, event)
  const more = BigInt(countsAsSpent(after)) - BigInt(countsAsSpent(before))
  return { ...state, attempts: state.attempts.with(at, after), spent: addedTo(state.spent, after, more) }
}

function addedTo(spent: TopUpState['spent'], { month, amountMinor }: Attempt, times: bigint): TopUpState['spent'] {
  const minor = BigInt(amountMinor) * times
  if (month === spent.month) return { month, minor: spent.minor + minor }
  // An attempt of an earlier month that ends now changes nothing in this one.
  return month > spent.month ? { month, minor } : spent
}
