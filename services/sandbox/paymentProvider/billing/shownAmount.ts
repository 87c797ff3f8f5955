/** Currencies whose smallest unit is not a hundredth of the major unit. */
const NO_DECIMALS = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const THREE_DECIMALS = new Set('bhd jod kwd omr tnd'.split(' '))
/** Counted in hundredths, but shown and charged in whole units only. */
const SHOWN_WHOLE = new Set(['isk', 'ugx'])

/** Formats an amount in the currency's smallest unit: 1000 usd is $10.00. */
export function shownAmount(amount: number, currency: string): string {
  const digits = NO_DECIMALS.has(currency) ? 0 : THREE_DECIMALS.has(currency) ? 3 : 2
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: SHOWN_WHOLE.has(currency) ? 0 : digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits)
}
