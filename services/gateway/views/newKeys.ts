import type { Position } from '../../../contracts/position.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { within } from '../../../platform/clock/within.ts'
import type { KeyStamp } from '../../../platform/secrets/keyStamp.ts'
import { GatewayError } from '../gatewayError.ts'
import type { KeyView, LiveKey } from './keys.ts'
import type { SharedHead } from './sharedHead.ts'
import { untilView } from './untilView.ts'

/** How long a request waits until the view of keys includes a key that was just minted. */
const NEW_KEY_WAIT_MS = 2_000
/** Requests that may wait for a new key at a time. */
const NEW_KEY_WAITERS_MAX = 64
const RETRY_SECONDS = 1

export type NewKeysParts = {
  readonly stamp: Pick<KeyStamp, 'isNew'>
  readonly keys: Pick<KeyView, 'find'>
  readonly head: Pick<SharedHead, 'read'>
  /** The position that the view of keys has passed. */
  readonly reached: () => Position
  readonly clock: Clock
}

/**
 * A backend answers with a new key as soon as the key is stored, and the views of gateways follow a moment later. A
 * request with such a key waits for that moment, and is refused only when the view has passed the head of the store.
 */
export class NewKeys {
  readonly #parts: NewKeysParts
  #waiting = 0

  constructor(parts: NewKeysParts) {
    this.#parts = parts
  }

  /** Whether an unknown key is worth waiting for. */
  isNew(raw: string): boolean {
    const { stamp, clock } = this.#parts
    return stamp.isNew(raw, clock.now())
  }

  /** The key once it is known; null if it does not exist. Throws a GatewayError if that is not certain in time. */
  async find(hash: string): Promise<LiveKey | null> {
    if (this.#waiting >= NEW_KEY_WAITERS_MAX) throw notKnownYet()
    this.#waiting++
    try {
      return await this.#find(hash)
    } finally {
      this.#waiting--
    }
  }

  async #find(hash: string): Promise<LiveKey | null> {
    const { keys, head, reached, clock } = this.#parts
    const endMs = clock.monotonicMs() + NEW_KEY_WAIT_MS
    const stored = await within(head.read(), NEW_KEY_WAIT_MS, clock).catch(() => null)
    if (stored === null) throw notKnownYet()
    // The view passes a position after it has applied the events up to there.
    const isKnown = () => reached() >= stored || keys.find(hash, clock.now()) !== null
    if (!(await untilView(isKnown, endMs, clock))) throw notKnownYet()
    return keys.find(hash, clock.now())
  }
}

function notKnownYet(): GatewayError {
  const message = 'This key was minted moments ago and the gateway does not know it yet. Retry with backoff.'
  return new GatewayError('unavailable', message, { retryAfterSeconds: RETRY_SECONDS })
}
