import { ApiError, NO_ANSWER, TOO_LATE } from './apiError.ts'

/** Longer than the slowest query takes. Without a limit, a page could keep loading for ever. */
const ANSWER_MS_MAX = 60_000

export type Answer = {
  readonly ok: boolean
  readonly status: number
  readonly requestId: string | null
  readonly body: unknown
}

/** Asks the backend that served this page. The browser adds the cookie of the session. */
export async function send(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  answerMsMax = ANSWER_MS_MAX,
): Promise<Answer> {
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(answerMsMax),
  }).catch((error: unknown) => {
    throw isTooLate(error) ? new ApiError(TOO_LATE, 'TIMEOUT', null) : new ApiError(NO_ANSWER, 'NETWORK', null)
  })
  const requestId = response.headers.get('x-request-id')
  const parsed: unknown = await response.json().catch((error: unknown) => {
    if (isTooLate(error)) throw new ApiError(TOO_LATE, 'TIMEOUT', requestId)
    return null
  })
  return { ok: response.ok, status: response.status, requestId, body: parsed }
}

function isTooLate(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}
