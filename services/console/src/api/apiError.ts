/** What went wrong with a request, in words for the person who made it. */
export class ApiError extends Error {
  /** The code of the GraphQL API, or `HTTP_<status>`; NETWORK if there was no answer. */
  readonly code: string
  /** The log has what happened under this id; null if no server answered. */
  readonly requestId: string | null

  constructor(message: string, code: string, requestId: string | null) {
    super(message)
    this.code = code
    this.requestId = requestId
  }
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'UNAUTHENTICATED' || error.code === 'HTTP_401')
}
