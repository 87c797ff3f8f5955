import { type Client, createClient } from 'graphql-ws'
import type { TypedDocumentString } from '../graphql/generated.ts'
import { ApiError } from './apiError.ts'
import { sentence } from './execute.ts'

/** While the server is away, the socket is opened again this often. */
const RETRIES_MAX = 10_000
/** The pauses between two attempts grow up to this. */
const RETRY_MS_MAX = 10_000
const RETRY_MS_MIN = 500

export type Listener<Result> = {
  readonly onNext: (result: Result) => void
  readonly onError: (error: ApiError) => void
  /** Whether the server sends at the moment. */
  readonly onConnected: (isConnected: boolean) => void
}

let shared: Client | null = null
let isConnected = false

/**
 * One socket for all subscriptions, opened with the first and closed with the last of them, so that the next person who
 * signs in gets one of their own. The cookie of the session signs it in.
 */
function sharedClient(): Client {
  shared ??= createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    lazyCloseTimeout: 0,
    retryAttempts: RETRIES_MAX,
    retryWait: (retries) => pause(Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** retries)),
    on: {
      connected: () => {
        isConnected = true
      },
      closed: () => {
        isConnected = false
      },
    },
  })
  return shared
}

/** Subscribes over the socket. Returns what ends it. */
export function subscribe<Result, Variables extends Record<string, unknown>>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  { onNext, onError, onConnected }: Listener<Result>,
): () => void {
  const client = sharedClient()
  // A socket reports that it has closed only after its subscriber has left, and maybe subscribed again.
  let hasEnded = false
  const stopListening = [
    client.on('connected', () => hasEnded || onConnected(true)),
    client.on('closed', () => hasEnded || onConnected(false)),
  ]
  if (isConnected) onConnected(true)
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
    for (const stop of stopListening) stop()
    end()
  }
}

/** At different times for different pages, so that a server that is back is not asked by all of them at once. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms * (0.5 + Math.random() / 2)))
}

function errorOf(error: unknown): ApiError {
  const first = Array.isArray(error) ? (error[0] as { message: string; extensions?: { code?: string } }) : null
  if (first) return new ApiError(sentence(first.message), first.extensions?.code ?? 'HTTP_200', null)
  return new ApiError('The server ended the connection. Reload the page to try again.', 'NETWORK', null)
}
