import { ApiError, NO_ANSWER } from './apiError.ts'

export type Answer = {
  readonly ok: boolean
  readonly status: number
  readonly requestId: string | null
  readonly body: unknown
}

/** Asks the backend that served this page. The browser adds the cookie of the session. */
export async function send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  }).catch(() => {
    throw new ApiError(NO_ANSWER, 'NETWORK', null)
  })
  const requestId = response.headers.get('x-request-id')
  const parsed: unknown = await response.json().catch(() => null)
  return { ok: response.ok, status: response.status, requestId, body: parsed }
}
