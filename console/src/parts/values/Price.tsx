import { majorUnits } from './minorUnits.ts'

/** An amount of money in major units. No other component formats money. */
export function Price({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency })
  return <span className="number">{format.format(amount)}</span>
}

/** An amount in the smallest unit that the payment provider counts in, as text. */
export function MinorPrice({ minor, currency }: { readonly minor: string; readonly currency: string }) {
  return <Price amount={majorUnits(minor, currency)} currency={currency} />
}
