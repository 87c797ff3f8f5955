/** Most currencies have two decimals at the payment provider; these have none, or three. */
const WITHOUT_DECIMALS = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const WITH_THREE_DECIMALS = new Set('bhd jod kwd omr tnd'.split(' '))

/** Converts an amount from the unit in which the payment provider counts: 1250 usd are 12.5, and 1250 jpy are 1250. */
export function majorUnits(minor: string, currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return Number(minor)
  return Number(minor) / (WITH_THREE_DECIMALS.has(currency) ? 1_000 : 100)
}
