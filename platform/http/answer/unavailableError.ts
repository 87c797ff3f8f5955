import { StoreUnavailable } from '../../eventStore/port.ts'
import { DatabaseUnreachable } from '../../postgres/databaseUnreachable.ts'
import { HttpError } from './httpError.ts'

export const RETRY_AFTER_SECONDS = 2

/** An engine of this service is unavailable. A change may have been stored before the connection to it broke. */
export class UnavailableError extends HttpError {
  constructor(message: string) {
    super(503, message, { 'retry-after': String(RETRY_AFTER_SECONDS) })
    this.name = 'UnavailableError'
  }
}

/** The unavailable engine, in words for a caller; null for any other error. */
export function missingEngine(error: unknown): string | null {
  if (error instanceof DatabaseUnreachable) return 'the service cannot reach its database'
  if (error instanceof StoreUnavailable) return 'the service cannot write to its event store'
  return null
}
