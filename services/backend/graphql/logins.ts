import { randomBytes } from 'node:crypto'
import type { Runtime } from '../../platform/runtime.ts'
import {
  hashPassword,
  PASSWORD_CHARS_MAX,
  PASSWORD_CHARS_MIN,
  verifyPassword,
} from '../../platform/secrets/passwords.ts'
import type { WindowState } from '../../platform/sharedState/port.ts'
import { apiError } from './apiError.ts'

/** Log-in attempts per minute, successful or not, from one address and for one account. */
export const LOGINS_PER_ADDRESS_MAX = 60
export const LOGINS_PER_ACCOUNT_MAX = 20
/** Passwords that are being hashed or wait for it: each takes a tenth of a second of a core. */
export const PASSWORD_HASHES_MAX = 32

/** Limits how fast passwords can be guessed: attempts per minute, and hashes at a time. */
export class Logins {
  readonly #runtime: Runtime
  /** The hash of a password that no user has, so that an unknown user takes as long as a wrong password. */
  #hashOfNoUser: Promise<string> | null = null
  #hashing = 0

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** Counts an attempt, successful or not. `account` is the keyed hash of the e-mail address, known or unknown. */
  async admit(clientAddress: string, account: string): Promise<void> {
    const { rateLimits } = this.#runtime.engines.sharedState
    const fromAddress = await rateLimits.add(`login:address:${clientAddress}`, 1)
    this.#require(fromAddress, LOGINS_PER_ADDRESS_MAX)
    this.#require(await rateLimits.add(`login:account:${account}`, 1), LOGINS_PER_ACCOUNT_MAX)
  }

  /** Whether the password matches the stored hash. null never matches, and takes the same time. */
  async isRight(password: string, stored: string | null): Promise<boolean> {
    this.#hashOfNoUser ??= hashPassword(randomBytes(16).toString('base64url'))
    const hash = stored ?? (await this.#hashOfNoUser)
    return (await this.#inTurn(() => verifyPassword(password, hash))) && stored !== null
  }

  hash(password: string): Promise<string> {
    const { length } = password
    if (length < PASSWORD_CHARS_MIN || length > PASSWORD_CHARS_MAX) {
      const range = `${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX}`
      throw apiError('BAD_USER_INPUT', `a password must have ${range} characters`)
    }
    return this.#inTurn(() => hashPassword(password))
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#hashing >= PASSWORD_HASHES_MAX) {
      throw apiError('RATE_LIMITED', 'too many log-ins at this moment; try again in a second')
    }
    this.#hashing++
    try {
      return await work()
    } finally {
      this.#hashing--
    }
  }

  #require({ used, resetAtMs }: WindowState, max: number): void {
    if (used <= max) return
    const retryAfterSeconds = Math.max(1, Math.ceil((resetAtMs - this.#runtime.clock.now()) / 1000))
    throw apiError('RATE_LIMITED', `too many log-in attempts: try again in ${retryAfterSeconds} s`, {
      retryAfterSeconds,
    })
  }
}
