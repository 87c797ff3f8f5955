import { Refusal } from './decider.ts'

/** Larger grants, refunds and prices are treated as typing errors. */
export const AMOUNT_MICROS_MAX = 1_000_000_000_000_000_000n

const MICROS_PER_CREDIT = 1_000_000n
const DECIMALS = 6

/** The exact decimal of an amount, without trailing zeros: 1500000n is "1.5". */
export function formatCredits(micros: bigint): string {
  const sign = micros < 0n ? '-' : ''
  const digits = (micros < 0n ? -micros : micros).toString().padStart(DECIMALS + 1, '0')
  const whole = digits.slice(0, -DECIMALS)
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '')
  return `${sign}${whole}${fraction && `.${fraction}`}`
}

/** For the `credits` of an API. JSON numbers are doubles, so APIs also return the exact string as amountMicros. */
export function creditsNumber(micros: bigint): number {
  return Number(formatCredits(micros))
}

/** Parses a decimal with up to six places, as a person or an API writes it. */
export function parseCredits(text: string): bigint {
  const match = /^(-?)(\d{1,18})(?:\.(\d{1,6}))?$/.exec(text)
  if (!match)
    throw new Refusal('INVALID', `${JSON.stringify(text)} is not an amount of credits with up to six decimals`)
  const [, sign, whole = '0', fraction = ''] = match
  const micros = BigInt(whole) * MICROS_PER_CREDIT + BigInt(fraction.padEnd(DECIMALS, '0'))
  return sign ? -micros : micros
}

/** From here on, two amounts of credits that differ by a millionth may be the same double. */
const INEXACT_CREDITS_MIN = 2 ** 33

/**
 * Reads an amount given as a double, from JSON or GraphQL. The shortest decimal of the number is what the caller wrote,
 * as long as the number is small enough to tell millionths apart. Larger ones are refused, because they may have been
 * rounded.
 */
export function creditsOf(value: number): bigint {
  const micros = parseCredits(String(value))
  if (Math.abs(value) >= INEXACT_CREDITS_MIN) {
    throw new Refusal(
      'INVALID',
      `${value} credits are too many for a number that is exact to six decimals: use less than ${INEXACT_CREDITS_MIN} at most, several times if needed`,
    )
  }
  return micros
}

/** Checks an amount that a command moves: more than zero and at most the limit. */
export function requireAmount(micros: bigint, what: string): string {
  if (micros <= 0n) throw new Refusal('INVALID', `${what} must be more than zero`)
  if (micros > AMOUNT_MICROS_MAX) {
    throw new Refusal('INVALID', `${what} must be at most ${formatCredits(AMOUNT_MICROS_MAX)}`)
  }
  return micros.toString()
}
