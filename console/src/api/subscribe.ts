import { type Client, createClient } from 'graphql-ws'
import type { TypedDocumentString } from '../graphql/generated.ts'
import { ApiError } from './apiError.ts'
import { sentence } from './execute.ts'

/** How many times to reconnect while the server is away: practically for ever. */
const RETRIES_MAX = 10_000
/** The longest pause between two attempts. */
const RETRY_MS_MAX = 10_000
const RETRY_MS_MIN = 500

export type Listener<Result> = {
  readonly onNext: (result: Result) => void
  readonly onError: (error: ApiError) => void
  /** Whether the connection is up. */
  readonly onConnected: (isConnected: boolean) => void
}

let shared: Client | null = null
let isConnected = false

/**
 * One socket for all subscriptions, opened for the first and closed after the last, so that the next user who signs in gets
 * their own. The session cookie authenticates it.
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

/** Subscribes over the socket. Returns a function that unsubscribes. */
export function subscribe<Result, Variables extends Record<string, unknown>>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  { onNext, onError, onConnected }: Listener<Result>,
): () => void {
  const client = sharedClient()
  // A socket reports its closing only after its subscriber has left and may have subscribed again.
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

/** Adds jitter, so that not all pages reconnect at once when the server is back. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms * (0.5 + Math.random() / 2)))
}

function errorOf(error: unknown): ApiError {
  const first = Array.isArray(error) ? (error[0] as { message: string; extensions?: { code?: string } }) : null
  if (first) return new ApiError(sentence(first.message), first.extensions?.code ?? 'HTTP_200', null)
  return new ApiError('The server ended the connection. Reload the page to try again.', 'NETWORK', null)
}
