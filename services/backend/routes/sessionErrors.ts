import { HttpError } from '../../../platform/http/answer/httpError.ts'

const STATUS: Readonly<Record<string, number>> = { UNAUTHENTICATED: 401, BAD_USER_INPUT: 400, RATE_LIMITED: 429 }

/** The HTTP refusal for an error of the GraphQL API, whose limits of log-ins count here too. Others stay as they are. */
export function asHttpError(error: unknown): unknown {
  if (!(error instanceof Error) || !('extensions' in error)) return error
  const { code, retryAfterSeconds = 1 } = error.extensions as { code?: string; retryAfterSeconds?: number }
  const status = STATUS[code ?? '']
  if (status === undefined) return error
  return new HttpError(status, error.message, status === 429 ? { 'retry-after': String(retryAfterSeconds) } : {})
}
