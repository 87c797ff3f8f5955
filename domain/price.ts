import { Refusal } from './decider.ts'

const DECIMAL = /^(?:0|[1-9]\d{0,11})(?:\.(\d{1,3}))?$/
const CURRENCY = /^[a-z]{3}$/

/** A price in major units: "10" usd is ten dollars. More decimals than the currency has are refused. */
export function requirePrice(price: string, currency: string): void {
  if (!CURRENCY.test(currency)) {
    throw new Refusal('INVALID', `currency must be a lowercase code of three letters, not ${JSON.stringify(currency)}`)
  }
  const match = DECIMAL.exec(price)
  if (!match) throw new Refusal('INVALID', `price must be a decimal in major units, not ${JSON.stringify(price)}`)
  const decimals = match[1]?.length ?? 0
  const allowed = decimalsAllowed(currency)
  if (decimals > allowed) throw new Refusal('INVALID', `price ${price} has more decimals than ${currency} (${allowed})`)
}

/** The price in the minor unit that the payment provider uses: "10" usd is 1000 cents, "10" jpy is 10 yen. */
export function minorUnits(price: string, currency: string): string {
  requirePrice(price, currency)
  const [whole = '0', fraction = ''] = price.split('.')
  return BigInt(whole + fraction.padEnd(decimalsOf(currency), '0')).toString()
}

/** The inverse, without trailing zeros. */
export function majorUnits(minor: string, currency: string): string {
  const decimals = decimalsOf(currency)
  if (decimals === 0) return minor
  const digits = minor.padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${digits.slice(0, -decimals)}${fraction && `.${fraction}`}`
}

/** ISO 4217 as the payment provider applies it: most currencies have two decimals, these do not. */
const WITHOUT_DECIMALS = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const WITH_THREE_DECIMALS = new Set('bhd jod kwd omr tnd'.split(' '))
/** These have no decimals either, but the provider still counts them in hundredths and accepts whole units only. */
const WHOLE_IN_HUNDREDTHS = new Set('isk ugx'.split(' '))

/** The decimals of the unit in which the provider counts. */
function decimalsOf(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 0
  return WITH_THREE_DECIMALS.has(currency) ? 3 : 2
}

/** The smallest difference between two amounts that the provider accepts, in its unit. */
export function minorStep(currency: string): bigint {
  return 10n ** BigInt(decimalsOf(currency) - decimalsAllowed(currency))
}

/** The decimals that a price may have. The provider accepts amounts with three decimals only if the last one is 0. */
function decimalsAllowed(currency: string): number {
  return WHOLE_IN_HUNDREDTHS.has(currency) ? 0 : Math.min(2, decimalsOf(currency))
}
