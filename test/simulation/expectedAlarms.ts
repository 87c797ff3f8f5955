import type { FaultKind } from './faults/faultPlan.ts'

/** An error line that may be written, and the faults of which at least one must have happened shortly before it. */
type ExpectedAlarm = {
  readonly message: RegExp
  readonly causes: readonly FaultKind[]
  /** The line is written again at each later start, until an operator has done something. */
  readonly isLasting?: true
  readonly reason: string
}

const DATABASE: readonly FaultKind[] = [
  'database connection dies before the statement',
  'database connection dies after the statement',
  'database message is late',
  'database is silent',
  // A process that wakes up finds its limits exceeded before it reads the answers that have arrived meanwhile.
  'process is paused at a statement',
  'process is cut off from the database',
  'read of events fails',
]
const SILENT_STORE: readonly FaultKind[] = [...DATABASE, 'store is silent', 'store falls silent with its answer']
const APPENDS: readonly FaultKind[] = [
  ...SILENT_STORE,
  'append is stored and its answer lost',
  'append is refused',
  'append is late',
]
const SHARED_STATE: readonly FaultKind[] = [...DATABASE, 'shared state is silent', 'shared state fails']

/**
 * The error lines of the product that an injected fault explains. Everything else is a false alarm, above all: faults of
 * the log, projections that stop, parked tasks, and payment events that an operator has to replay.
 */
export const EXPECTED_ALARMS: readonly ExpectedAlarm[] = [
  {
    message: /^webhook event could not be stored$/,
    causes: DATABASE,
    reason: 'The payment provider is answered 503 and sends the event again; an operator sees why.',
  },
  {
    message: /^GraphQL operation failed$/,
    causes: DATABASE,
    reason: 'The caller gets an internal error, and cannot know whether the command was carried out.',
  },
  {
    message: /^request failed$/,
    causes: SHARED_STATE,
    reason: 'The caller gets 500 where a statement of its request was lost.',
  },
  {
    message: /^password reset could not be requested$/,
    causes: DATABASE,
    reason: 'The answer must not say whether the address is known, so only the log says that it failed.',
  },
  {
    message: /^charge could not be stored$/,
    causes: APPENDS,
    reason: 'The caller is answered 503, and the call is settled later.',
  },
  {
    message: /^failed call could not be recorded$/,
    causes: APPENDS,
    reason: 'A failed call costs nothing; settlement records it later, if it can.',
  },
  {
    message: /^answer could not be stored for its Idempotency-Key$/,
    causes: SHARED_STATE,
    reason: 'The call is charged and answered; a repetition cannot be answered with it.',
  },
  {
    message: /^charge of a kept answer could not be stored$/,
    causes: APPENDS,
    reason: 'The repeated call is answered 503 and may be repeated again.',
  },
  {
    message: /^ledger could not be searched for the charge of a kept answer$/,
    causes: SILENT_STORE,
    reason: 'The repeated call is answered 503 and may be repeated again.',
  },
  {
    message: /^unsettled call could not be recorded on the disk$/,
    causes: ['disk is slow', 'process is paused', 'process is paused after a claim'],
    reason: 'Only memory knows that call until it is settled, or until a process that was paused has written it.',
  },
  {
    message: /^file of an unsettled call cannot be read$/,
    causes: ['file is damaged'],
    isLasting: true,
    reason: 'What it contained is lost; an operator has to compare the call with the ledger.',
  },
  {
    message: /^provider refuses our calls; check its key, address and model in PROVIDERS_FILE$/,
    causes: ['provider refuses', 'provider is down'],
    reason: 'Only the operator can change the access to a provider.',
  },
]
