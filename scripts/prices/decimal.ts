import { WrongUsage } from '../cli/command.ts'

/** An exact decimal: digits × 10^exponent. */
export type Decimal = { readonly digits: bigint; readonly exponent: number }

const DECIMAL = /^(\d{1,24})(?:\.(\d{1,24}))?(?:e([+-]?\d{1,2}))?$/i

/** Reads a decimal as people write it, or as a JSON number is printed: `1.25`, `2.5e-7`. */
export function decimalOf(text: string, what: string): Decimal {
  const match = DECIMAL.exec(text)
  if (!match) throw new WrongUsage(`${what}: ${JSON.stringify(text.slice(0, 60))} is not a decimal of zero or more`)
  const [, whole = '0', fraction = '', exponent = '0'] = match
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

export function times(one: Decimal, other: Decimal): Decimal {
  return { digits: one.digits * other.digits, exponent: one.exponent + other.exponent }
}

/** The nearest whole number of units of 10^exponent. Lists of prices are computed with doubles: 1.5000000000000002e-7. */
export function wholeUnits({ digits, exponent }: Decimal, unitExponent: number): bigint {
  const shift = exponent - unitExponent
  if (shift >= 0) return digits * 10n ** BigInt(shift)
  const unit = 10n ** BigInt(-shift)
  return (2n * digits + unit) / (2n * unit)
}

/** The decimal that has so many units of 10^exponent, without trailing zeros. */
export function decimalText(units: string, unitExponent: number): string {
  const places = -unitExponent
  const digits = units.padStart(places + 1, '0')
  const fraction = digits.slice(-places).replace(/0+$/, '')
  return digits.slice(0, -places) + (fraction && `.${fraction}`)
}
