/** A call that has been admitted and has not ended. */
export type CallInFlight = {
  readonly keyId: string
  readonly alias: string
  readonly endpoint: string
  readonly streamed: boolean
  readonly label: string | null
  readonly admittedAt: string
}

/** The calls that this gateway is making, by their ids. Other gateways do not know of them. */
export class CallsInFlight {
  readonly #calls = new Map<string, { readonly inFlight: CallInFlight }>()

  /** The description is asked for only if a caller wants to know, so that it costs other calls nothing. */
  begin(callId: string, call: { readonly inFlight: CallInFlight }): void {
    this.#calls.set(callId, call)
  }

  end(callId: string): void {
    this.#calls.delete(callId)
  }

  find(callId: string): CallInFlight | null {
    return this.#calls.get(callId)?.inFlight ?? null
  }
}
