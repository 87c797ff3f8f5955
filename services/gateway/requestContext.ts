import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallTrace } from './call/callTrace.ts'
import type { Claim } from './idempotency/claim.ts'
import type { LiveKey } from './views/keys.ts'

/** A request whose key is valid, has the scope of the route and is within its requests per minute. */
export type RequestContext = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The id of the request is also the id of the call on the ledger and of the request to the provider. */
  readonly callId: string
  readonly key: LiveKey
  /** The usage label: from the request header, or the key's own. */
  readonly label: string | null
  /** When the first bytes of the request had been read, on the monotonic clock. */
  readonly beganAtMs: number
  /** Set for a call with an Idempotency-Key. */
  readonly claim?: Claim
  /** Set if traces are exported. */
  readonly trace?: CallTrace | undefined
}

/** The response that a caller waits for. A caller that disconnects destroys it. */
export type Caller = {
  readonly destroyed: boolean
  once(event: 'close', listener: () => void): unknown
  removeListener(event: 'close', listener: () => void): unknown
}
