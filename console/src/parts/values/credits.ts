const MICROS = 1_000_000n

/** Converts credits from an API number, which has up to six decimals, to millionths. */
export function microsOf(credits: number): bigint {
  return BigInt(Math.round(credits * 1_000_000))
}

/** The exact amount with at least two decimals: 1,234.50 and 0.000051. */
export function exactCredits(micros: bigint): string {
  const decimals = String(abs(micros) % MICROS)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '')
  return `${sign(micros)}${grouped(abs(micros) / MICROS)}.${decimals}`
}

/** The exact price of one, of which a million cost so many millionths: with two to twelve decimals, 0.01 and 0.000015. */
export function exactEach(microsPerMillion: bigint): string {
  const decimals = String(abs(microsPerMillion) % (MICROS * MICROS))
    .padStart(12, '0')
    .replace(/0{1,10}$/, '')
  return `${sign(microsPerMillion)}${grouped(abs(microsPerMillion) / (MICROS * MICROS))}.${decimals}`
}

/** The shortest decimal of a number from the API, without the exponent that small ones have. It has up to twelve decimals. */
export function plainDecimal(value: number): string {
  const text = String(value)
  return text.includes('e-') ? value.toFixed(12).replace(/0+$/, '') : text
}

/** From a million credits on, the short form has no decimals. */
const WHOLE_MIN = 1_000_000n * MICROS

/** A rounded amount: two decimals from 1 on, three significant digits below. */
export function shortCredits(micros: bigint): string {
  const amount = abs(micros)
  if (amount === 0n) return '0'
  if (amount >= WHOLE_MIN) return `${sign(micros)}${grouped((amount + MICROS / 2n) / MICROS)}`
  if (amount >= MICROS) {
    const cents = (amount + 5_000n) / 10_000n
    return `${sign(micros)}${grouped(cents / 100n)}.${String(cents % 100n).padStart(2, '0')}`
  }
  // Rounds to three significant digits; a millionth is never rounded to zero.
  const step = 10n ** BigInt(Math.max(0, String(amount).length - 3))
  const rounded = ((amount + step / 2n) / step) * step
  if (rounded >= MICROS) return `${sign(micros)}1.00`
  return `${sign(micros)}0.${String(rounded).padStart(6, '0').replace(/0+$/, '')}`
}

function grouped(whole: bigint): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ',')
}

function abs(micros: bigint): bigint {
  return micros < 0n ? -micros : micros
}

function sign(micros: bigint): string {
  return micros < 0n ? '−' : ''
}

/** For files: without grouping and with a plain minus, 1234.5. */
export function plainCredits(micros: bigint): string {
  return exactCredits(micros).replaceAll(',', '').replace('−', '-')
}
