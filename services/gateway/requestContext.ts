import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Claim } from './idempotency/claim.ts'
import type { LiveKey } from './views/keys.ts'

/** One request and its answer, on their way through the gateway. */
export type RequestContext = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Behind the question mark, as it was sent. */
  readonly query: string
  /** The id of the request, of the call on the ledger, and of the request to the provider: all one. */
  readonly callId: string
  /** Sent with whatever answer it will be. */
  readonly headers: Record<string, string>
}

/** An context whose key is known, has the route's scope and is within its requests a minute. */
export type AuthenticatedContext = RequestContext & {
  readonly key: LiveKey
  /** Of a call with an Idempotency-Key. */
  readonly claim?: Claim
}
