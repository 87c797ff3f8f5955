import type { NewEvent } from '../../../../contracts/envelope.ts'

/** At least as many events as can be under way: an event sent later comes back later. */
const SENT_EVENTS_REMEMBERED_MIN = 1_000
/** Larger events are parsed when they come back. */
const REMEMBERED_BYTES_MAX = 4 * 1024

type SentEvent = { readonly event: NewEvent; readonly data: Buffer; readonly metadata: Buffer }

/**
 * The events that this process has sent, so that they need not be parsed when the subscription brings them back. An
 * event counts as the one that was sent only if its bytes are equal: another process may have stored a different one
 * under the same id.
 */
export class SentEvents {
  #newer = new Map<string, SentEvent>()
  #older = new Map<string, SentEvent>()

  /** The event with the bytes that are sent. */
  add(event: NewEvent, data: Buffer, metadata: Buffer): void {
    if (data.length + metadata.length > REMEMBERED_BYTES_MAX) return
    if (this.#newer.size >= SENT_EVENTS_REMEMBERED_MIN) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(event.id, { event, data, metadata })
  }

  /** Null if it must be parsed. */
  find(id: string, type: string, data: Buffer, metadata: Buffer): NewEvent | null {
    const sent = this.#newer.get(id) ?? this.#older.get(id)
    if (!sent || sent.event.type !== type || !sent.data.equals(data) || !sent.metadata.equals(metadata)) return null
    return sent.event
  }
}
