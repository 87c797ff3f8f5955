import type { HttpError } from '../answer/httpError.ts'
import { networkOf } from './clientAddress.ts'
import { retryLater } from './inFlight.ts'

export type PlaceLimits = {
  readonly placesMax: number
  readonly perAddressMax: number
}

/** One place. `evict` is set while it can be taken away: as long as it waits for its caller. */
export type UnidentifiedPlace = {
  readonly network: string
  evict: ((refusal: HttpError) => void) | null
}

/**
 * The places of unidentified callers. When all are taken, the next request gets the place that has waited longest for
 * its caller: an honest caller needs it for moments only. An address can lose places only to itself, or when it has the
 * most.
 */
export class UnidentifiedPlaces {
  readonly #limits: PlaceLimits
  readonly #byNetwork = new Map<string, Set<UnidentifiedPlace>>()
  #count = 0

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  get count(): number {
    return this.#count
  }

  /** Throws a 429 or 503 if no place is free and none can be taken away. */
  enter(address: string): UnidentifiedPlace {
    const { placesMax, perAddressMax } = this.#limits
    const network = networkOf(address)
    const own = this.#byNetwork.get(network)
    if (own && own.size >= perAddressMax) {
      this.#evictFrom(own, retryLater(429, 'Too many requests without valid credentials come from this address.'))
    } else if (this.#count >= placesMax) {
      this.#evictFrom(this.#largest(), retryLater(503, 'Too many requests without valid credentials are under way.'))
    }
    const place: UnidentifiedPlace = { network, evict: null }
    const places = this.#byNetwork.get(network)
    if (places) places.add(place)
    else this.#byNetwork.set(network, new Set([place]))
    this.#count++
    return place
  }

  /** Leaving twice, or after an eviction, has no effect. */
  leave(place: UnidentifiedPlace): void {
    const places = this.#byNetwork.get(place.network)
    if (!places?.delete(place)) return
    place.evict = null
    this.#count--
    if (places.size === 0) this.#byNetwork.delete(place.network)
  }

  #evictFrom(places: ReadonlySet<UnidentifiedPlace>, refusal: HttpError): void {
    for (const place of places) {
      const { evict } = place
      if (evict === null) continue
      this.leave(place)
      evict(refusal)
      return
    }
    throw refusal
  }

  #largest(): ReadonlySet<UnidentifiedPlace> {
    let largest: ReadonlySet<UnidentifiedPlace> = new Set()
    for (const places of this.#byNetwork.values()) if (places.size > largest.size) largest = places
    return largest
  }
}
