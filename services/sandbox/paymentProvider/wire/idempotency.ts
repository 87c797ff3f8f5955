import { hash } from 'node:crypto'
import type { ProviderState } from '../state/providerState.ts'
import { PaymentApiError } from './paymentApiError.ts'

const REPLAY_MS = 24 * 60 * 60 * 1000
const KEY_CHARS_MAX = 255

export type Answer = { readonly status: number; readonly body: object }

/** Identifies a request, so that the reuse of a key for another request is noticed. */
export function fingerprintOf(method: string, path: string, body: string): string {
  return hash('sha256', `${method} ${path}\n${body}`)
}

/** The stored answer of this key; null if the key is new or its answer is older than a day. */
export function replayOf(state: ProviderState, key: string, fingerprint: string, nowMs: number): Answer | null {
  if (key.length > KEY_CHARS_MAX) {
    throw wrongKey(`Idempotency keys can be at most ${KEY_CHARS_MAX} characters long.`)
  }
  const replay = state.get('replay', key)
  if (!replay || nowMs - replay.atMs >= REPLAY_MS) return null
  if (replay.fingerprint !== fingerprint) {
    throw wrongKey(
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    )
  }
  return { status: replay.status, body: replay.body }
}

function wrongKey(message: string): PaymentApiError {
  return new PaymentApiError({ status: 400, type: 'idempotency_error', message })
}
