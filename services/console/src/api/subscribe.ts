import { createClient } from 'graphql-ws'
import type { TypedDocumentString } from '../graphql/generated.ts'
import { ApiError } from './apiError.ts'
import { sentence } from './execute.ts'

/** While the server is away, the socket is opened again this often, with growing pauses. */
const RETRIES_MAX = 1_000

export type Listener<Result> = {
  readonly onNext: (result: Result) => void
  readonly onError: (error: ApiError) => void
  /** Whether the server sends at the moment. */
  readonly onConnected: (isConnected: boolean) => void
}

/** Subscribes over a WebSocket of its own, which the cookie of the session signs in. Returns what ends it. */
export function subscribe<Result, Variables extends Record<string, unknown>>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  { onNext, onError, onConnected }: Listener<Result>,
): () => void {
  // A socket reports that it has closed only after its subscriber has left, and maybe subscribed again.
  let hasEnded = false
  const client = createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    retryAttempts: RETRIES_MAX,
    on: {
      connected: () => hasEnded || onConnected(true),
      closed: () => hasEnded || onConnected(false),
    },
  })
  const end = client.subscribe<Result>(
    { query: document.toString(), variables },
    {
      next: ({ data }) => hasEnded || (data && onNext(data)),
      error: (error) => hasEnded || onError(errorOf(error)),
      complete: () => {},
    },
  )
  return () => {
    hasEnded = true
    end()
    void client.dispose()
  }
}

function errorOf(error: unknown): ApiError {
  const first = Array.isArray(error) ? (error[0] as { message: string; extensions?: { code?: string } }) : null
  if (first) return new ApiError(sentence(first.message), first.extensions?.code ?? 'HTTP_200', null)
  return new ApiError('The server ended the connection. Reload the page to try again.', 'NETWORK', null)
}
