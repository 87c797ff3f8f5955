import { randomBytes } from 'node:crypto'
import type { GraphQLError } from 'graphql'
import type { Runtime } from '../../../../capabilities/installation.ts'
import { networkOf } from '../../../../platform/http/limits/clientAddress.ts'
import { FairShare } from '../../../../platform/http/limits/fairShare.ts'
import {
  hashPassword,
  PASSWORD_CHARS_MAX,
  PASSWORD_CHARS_MIN,
  verifyPassword,
} from '../../../../platform/secrets/passwords.ts'
import type { WindowState } from '../../../../platform/sharedState/port.ts'
import { apiError } from '../apiError.ts'
import { LoginDelays } from './loginDelays.ts'

/** Login attempts per minute from one client address (IPv6: one /64 network), successful or not, for all accounts together. */
export const LOGINS_PER_ADDRESS_MAX = 60
/** Passwords that are being hashed or wait for it, which networks share fairly: each takes a tenth of a second of a core. */
export const PASSWORD_HASHES_MAX = 32

/** Limits how fast passwords can be guessed: attempts per address, delays after failures, and hashes at a time. */
export class Logins {
  readonly #runtime: Runtime
  /** The hash of a password that no user has, so that an unknown user takes as long as a wrong password. */
  #hashOfNoUser: Promise<string> | null = null
  readonly #delays: LoginDelays
  readonly #hashing = new FairShare(PASSWORD_HASHES_MAX)

  constructor(runtime: Runtime) {
    this.#runtime = runtime
    this.#delays = new LoginDelays(runtime.clock)
  }

  /**
   * Whether the password is right. Throws RATE_LIMITED after too many attempts. `account` is the keyed hash of the
   * e-mail address, known or unknown; `stored` is null for an unknown one.
   */
  async attempt(clientAddress: string, account: string, password: string, stored: string | null): Promise<boolean> {
    await this.admit(clientAddress)
    const network = networkOf(clientAddress)
    const waitMs = this.#delays.waitMs(network, account)
    if (waitMs > 0) throw tooManyAttempts(waitMs)
    // Counted before the hash, which takes a while: attempts at the same time must not all pass.
    this.#delays.failed(network, account)
    const isRight = await this.isRight(password, stored, network)
    if (isRight) this.#delays.succeeded(network, account)
    return isRight
  }

  /** Counts an attempt from the address, also one with the token of a mail. Throws RATE_LIMITED after too many. */
  async admit(clientAddress: string): Promise<void> {
    const { rateLimits } = this.#runtime.engines.sharedState
    this.#require(await rateLimits.add(`login:address:${networkOf(clientAddress)}`, 1), LOGINS_PER_ADDRESS_MAX)
  }

  /** Whether the password matches the stored hash. null never matches, and takes the same time. */
  async isRight(password: string, stored: string | null, network: string): Promise<boolean> {
    this.#hashOfNoUser ??= hashPassword(randomBytes(16).toString('base64url'))
    const hash = stored ?? (await this.#hashOfNoUser)
    return (await this.#inTurn(network, () => verifyPassword(password, hash))) && stored !== null
  }

  /** For callers that have proved who they are, which share what is free with all others. */
  hash(password: string): Promise<string> {
    const { length } = password
    if (length < PASSWORD_CHARS_MIN || length > PASSWORD_CHARS_MAX) {
      const range = `${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX}`
      throw apiError('BAD_USER_INPUT', `a password must have ${range} characters`)
    }
    return this.#inTurn(null, () => hashPassword(password))
  }

  async #inTurn<Result>(network: string | null, work: () => Promise<Result>): Promise<Result> {
    if (this.#hashing.take(network, 1) !== 'taken') {
      throw apiError('RATE_LIMITED', 'too many log-ins at this moment; try again in a second')
    }
    try {
      return await work()
    } finally {
      this.#hashing.give(network, 1)
    }
  }

  #require({ used, resetAtMs }: WindowState, max: number): void {
    if (used <= max) return
    throw tooManyAttempts(resetAtMs - this.#runtime.clock.now())
  }
}

function tooManyAttempts(waitMs: number): GraphQLError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  return apiError('RATE_LIMITED', `too many log-in attempts: try again in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  })
}
