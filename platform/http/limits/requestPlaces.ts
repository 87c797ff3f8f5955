import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../clock/clock.ts'
import type { HttpError } from '../answer/httpError.ts'
import { Lingering } from '../lingering.ts'
import { clientAddress } from './clientAddress.ts'
import { FairShare } from './fairShare.ts'
import { type InFlight, retryLater } from './inFlight.ts'
import { markIdentified } from './unidentifiedConnections.ts'
import { type UnidentifiedPlace, UnidentifiedPlaces } from './unidentifiedPlaces.ts'

/** The body of an unidentified caller must have arrived within this time. */
export const UNIDENTIFIED_BODY_MS = 5_000
/** Requests without valid credentials whose body is arriving or that are being answered. */
export const UNIDENTIFIED_REQUESTS_MAX = 500
export const UNIDENTIFIED_REQUESTS_PER_ADDRESS_MAX = 50
/** The bytes of their bodies, which addresses share fairly. */
const UNIDENTIFIED_BYTES_MAX = 32 * 1024 * 1024

/** How long a body may take, plus a second for each BODY_BYTES_PER_SECOND_MIN that arrived. */
export const BODY_GRACE_MS = 10_000
const BODY_BYTES_PER_SECOND_MIN = 16 * 1024
const BODY_MS_MAX = 60_000
/** The bytes of the bodies of all identified requests in flight, which holders share fairly. */
export const BODY_BYTES_IN_FLIGHT_MAX = 256 * 1024 * 1024

/** The place of one request among those served at once, and the room for its body. */
export type RequestPlace = {
  readonly clock: Clock
  /** Whether the caller is identified. If not, its body must be small. */
  readonly isIdentified: boolean
  /** How long a body may take when this many bytes have arrived. */
  bodyMsMax(bytes: number): number
  /** Reserves room for bytes of the body until the request leaves. Throws a 429 or 503 if there is none. */
  keep(bytes: number): void
  /** Set while the body arrives: called if the place is given to another request. null: the body is complete. */
  whenEvicted(evict: ((refusal: HttpError) => void) | null): void
  leave(): void
}

export type PlacesOptions = {
  readonly clock: Clock
  /** How many proxies in front of the service are trusted to name the caller's address. */
  readonly trustedProxies?: number
}

/**
 * The places of one service's requests. A request counts as in flight once its caller is identified; until then it has
 * a place among the unidentified, of which each address has few.
 */
export class RequestPlaces {
  readonly clock: Clock
  /** Connections of refused requests that are still sending their body. */
  readonly lingering: Lingering
  readonly bytes = new FairShare(BODY_BYTES_IN_FLIGHT_MAX)
  readonly unidentifiedBytes = new FairShare(UNIDENTIFIED_BYTES_MAX)
  readonly unidentified = new UnidentifiedPlaces({
    placesMax: UNIDENTIFIED_REQUESTS_MAX,
    perAddressMax: UNIDENTIFIED_REQUESTS_PER_ADDRESS_MAX,
  })
  readonly #trustedProxies: number

  constructor({ clock, trustedProxies = 0 }: PlacesOptions) {
    this.clock = clock
    this.lingering = new Lingering(clock)
    this.#trustedProxies = trustedProxies
  }

  /** For requests without a body to read or a limit to respect: they take nothing from others. */
  readonly uncounted: RequestPlace = new PlaceInFlight(this, null, undefined)

  /** The place of a request of this holder; null if the caller is not identified. Throws a 429 or 503 at a limit. */
  enter(request: IncomingMessage, holder: string | null, inFlight: InFlight | undefined): RequestPlace {
    if (holder === null) return new PlaceOfUnidentified(this, clientAddress(request, this.#trustedProxies))
    inFlight?.enter(holder)
    return new PlaceInFlight(this, holder, inFlight)
  }

  /** The place of a request whose body proves its sender. There is only one sender, so no fair share is needed. */
  enterProven(request: IncomingMessage, inFlight: InFlight | undefined): RequestPlace {
    markIdentified(request.socket)
    inFlight?.enter(null)
    return new PlaceInFlight(this, null, inFlight)
  }
}

class PlaceInFlight implements RequestPlace {
  readonly isIdentified = true
  readonly #places: RequestPlaces
  readonly #holder: string | null
  readonly #inFlight: InFlight | undefined
  #bytes = 0

  constructor(places: RequestPlaces, holder: string | null, inFlight: InFlight | undefined) {
    this.#places = places
    this.#holder = holder
    this.#inFlight = inFlight
  }

  get clock(): Clock {
    return this.#places.clock
  }

  bodyMsMax(bytes: number): number {
    return Math.min(BODY_GRACE_MS + Math.floor(bytes / BODY_BYTES_PER_SECOND_MIN) * 1_000, BODY_MS_MAX)
  }

  keep(bytes: number): void {
    takeBytes(this.#places.bytes, this.#holder, bytes, 'of this company')
    this.#bytes += bytes
  }

  /** Only places of unidentified callers can be taken away. */
  whenEvicted(): void {}

  leave(): void {
    this.#inFlight?.leave(this.#holder)
    if (this.#bytes > 0) this.#places.bytes.give(this.#holder, this.#bytes)
  }
}

class PlaceOfUnidentified implements RequestPlace {
  readonly isIdentified = false
  readonly #places: RequestPlaces
  readonly #place: UnidentifiedPlace
  #bytes = 0

  constructor(places: RequestPlaces, address: string) {
    this.#places = places
    this.#place = places.unidentified.enter(address)
  }

  get clock(): Clock {
    return this.#places.clock
  }

  bodyMsMax(): number {
    return UNIDENTIFIED_BODY_MS
  }

  keep(bytes: number): void {
    takeBytes(this.#places.unidentifiedBytes, this.#place.network, bytes, 'without valid credentials from this address')
    this.#bytes += bytes
  }

  whenEvicted(evict: ((refusal: HttpError) => void) | null): void {
    this.#place.evict = evict
  }

  /** Leaving twice has no effect. */
  leave(): void {
    this.#places.unidentified.leave(this.#place)
    this.#places.unidentifiedBytes.give(this.#place.network, this.#bytes)
    this.#bytes = 0
  }
}

function takeBytes(share: FairShare, holder: string | null, bytes: number, whose: string): void {
  const taken = share.take(holder, bytes)
  if (taken === 'share used up') throw retryLater(429, `The requests ${whose} hold too many bytes at once.`)
  if (taken === 'full') throw retryLater(503, 'The requests in flight hold too many bytes.')
}
