import type { HttpError } from '../../../../platform/http/answer/httpError.ts'
import { FairShare } from '../../../../platform/http/limits/fairShare.ts'
import { type UnidentifiedPlace, UnidentifiedPlaces } from '../../../../platform/http/limits/unidentifiedPlaces.ts'

/** Sockets of signed-in users, which companies share fairly. */
export const GRAPHQL_SOCKETS_MAX = 200
/** Sockets that have not sent a valid token. */
export const GRAPHQL_UNIDENTIFIED_SOCKETS_MAX = 200
export const GRAPHQL_UNIDENTIFIED_SOCKETS_PER_ADDRESS_MAX = 20

/** The places of sockets. One without a token takes none from the users that are signed in. */
export class SocketPlaces {
  readonly #identified = new FairShare(GRAPHQL_SOCKETS_MAX)
  readonly #unidentified = new UnidentifiedPlaces({
    placesMax: GRAPHQL_UNIDENTIFIED_SOCKETS_MAX,
    perAddressMax: GRAPHQL_UNIDENTIFIED_SOCKETS_PER_ADDRESS_MAX,
  })

  /** Throws a 429 or 503 if there is no place. */
  enter(address: string): SocketPlace {
    return new SocketPlace(this.#identified, this.#unidentified, this.#unidentified.enter(address))
  }
}

export class SocketPlace {
  readonly #identified: FairShare
  readonly #unidentified: UnidentifiedPlaces
  readonly #place: UnidentifiedPlace
  #holder: string | null = null
  #hasLeft = false

  constructor(identified: FairShare, unidentified: UnidentifiedPlaces, place: UnidentifiedPlace) {
    this.#identified = identified
    this.#unidentified = unidentified
    this.#place = place
  }

  get isIdentified(): boolean {
    return this.#holder !== null
  }

  /** Called if another socket needs the place before this one is identified. */
  whenEvicted(evict: (refusal: HttpError) => void): void {
    this.#place.evict = evict
  }

  /** Moves the socket to the places of signed-in users. False if its company has its share already. */
  identify(holder: string): boolean {
    if (this.#hasLeft || this.#identified.take(holder, 1) !== 'taken') return false
    this.#holder = holder
    this.#unidentified.leave(this.#place)
    return true
  }

  leave(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    if (this.#holder === null) this.#unidentified.leave(this.#place)
    else this.#identified.give(this.#holder, 1)
  }
}
