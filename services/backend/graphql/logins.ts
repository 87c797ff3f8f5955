import { randomBytes } from 'node:crypto'
import { LIMITS } from '../../../contracts/limits.ts'
import type { Runtime } from '../../platform/runtime.ts'
import { hashPassword, verifyPassword } from '../../platform/secrets/passwords.ts'
import type { WindowState } from '../../platform/sharedState/port.ts'
import { apiError } from './apiError.ts'

/** Where passwords are guessed: so many attempts a minute, and so many hashes at a time. */
export class Logins {
  readonly #runtime: Runtime
  /** Of a password that nobody has. An unknown user costs as much time as a wrong password. */
  #nobody: Promise<string> | null = null
  #hashing = 0

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** Counts an attempt, right or wrong. `account` is the keyed hash of the address, whether somebody has it or not. */
  async admit(clientAddress: string, account: string): Promise<void> {
    const { rateLimits } = this.#runtime.engines.sharedState
    const fromAddress = await rateLimits.add(`login:address:${clientAddress}`, 1)
    this.#require(fromAddress, LIMITS.loginsPerAddressMax)
    this.#require(await rateLimits.add(`login:account:${account}`, 1), LIMITS.loginsPerAccountMax)
  }

  /** Whether the password is the one that was stored; never for null, in the same time. */
  async isRight(password: string, stored: string | null): Promise<boolean> {
    this.#nobody ??= hashPassword(randomBytes(16).toString('base64url'))
    const hash = stored ?? (await this.#nobody)
    return (await this.#inTurn(() => verifyPassword(password, hash))) && stored !== null
  }

  hash(password: string): Promise<string> {
    const { length } = password
    if (length < LIMITS.passwordCharsMin || length > LIMITS.passwordCharsMax) {
      const range = `${LIMITS.passwordCharsMin} to ${LIMITS.passwordCharsMax}`
      throw apiError('BAD_USER_INPUT', `a password must have ${range} characters`)
    }
    return this.#inTurn(() => hashPassword(password))
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#hashing >= LIMITS.passwordHashesMax) {
      throw apiError('RATE_LIMITED', 'too many people log in at this moment; try again in a second')
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
    throw apiError('RATE_LIMITED', `too many attempts to log in: try again in ${retryAfterSeconds} s`, {
      retryAfterSeconds,
    })
  }
}
