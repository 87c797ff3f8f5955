import pg from 'pg'

/** The database could not be reached, or the connection broke before it answered. */
export class DatabaseUnreachable extends Error {
  /** The code of the driver or the server, if it has one. */
  readonly code: string | undefined

  constructor(cause: Error) {
    super(`the database cannot be reached: ${cause.message}`, { cause })
    this.name = 'DatabaseUnreachable'
    this.code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  }
}

/** Connection exceptions; shutdown, crash and start of the server; too many connections. */
const UNREACHABLE_STATES = /^(08...|57P0[123]|53300)$/
const NETWORK_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'ENOENT'],
])
const UNANSWERED = 'Query read timeout'
/** The driver's own connection errors have no code. */
const DRIVER_MESSAGES = /^(Connection terminated|timeout exceeded when trying to connect|Client .*not queryable)/

/** Whether the driver has given a statement up because its answer did not arrive in time. It keeps the connection. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === UNANSWERED
}

/** Converts the error of a statement into the one that callers of the database see. */
export function asUnreachable(error: unknown): unknown {
  return error instanceof Error && isConnectionFailure(error) ? new DatabaseUnreachable(error) : error
}

function isConnectionFailure(error: Error & { readonly code?: unknown }): boolean {
  if (error instanceof pg.DatabaseError) return UNREACHABLE_STATES.test(error.code ?? '')
  return NETWORK_CODES.has(String(error.code)) || DRIVER_MESSAGES.test(error.message) || isUnanswered(error)
}
