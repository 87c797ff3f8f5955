/** An amount of money in major units. No other component formats money. */
export function Price({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency })
  return <span className="number">{format.format(amount)}</span>
}
