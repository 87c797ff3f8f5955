/** An error of a request, worded for the user. */
export class ApiError extends Error {
  /** The code of the GraphQL API, or `HTTP_<status>`; NETWORK if there was no answer, TIMEOUT if it took too long. */
  readonly code: string
  /** The id to look for in the server's log; null if no server answered. */
  readonly requestId: string | null

  constructor(message: string, code: string, requestId: string | null) {
    super(message)
    this.code = code
    this.requestId = requestId
  }
}

export const TOO_LATE = 'The server did not answer in time. Reload the page to see whether the request went through.'

export const NO_ANSWER = 'The server did not answer. Check the connection and try again.'

/** Statuses of a server that is starting, draining or overloaded, or of a proxy that cannot reach it. */
const AWAY = [502, 503, 504]

/** The message for an answer that has none. */
export function statusWords(status: number): string {
  return AWAY.includes(status)
    ? 'The server is not ready at the moment. Try again in a few seconds.'
    : `The server answered with status ${status}.`
}

/** Whether the server may be back in a moment. */
export function isAway(error: unknown): boolean {
  const codes = ['NETWORK', 'SERVICE_UNAVAILABLE', ...AWAY.map((status) => `HTTP_${status}`)]
  return error instanceof ApiError && codes.includes(error.code)
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'UNAUTHENTICATED' || error.code === 'HTTP_401')
}
