/** An exact price: this much of a currency's smallest unit for this many millionths of a credit. */
export type CreditPrice = { readonly minor: bigint; readonly perMicros: bigint }

export type Apportioned = { readonly total: bigint; readonly parts: readonly bigint[] }

/**
 * The price of each amount of credits, in multiples of `step`. Only the total is rounded, half up; the parts are rounded down
 * and those with the largest remainders get what is missing, so that they add up to the total.
 */
export function apportion(amountsMicros: readonly bigint[], price: CreditPrice, step: bigint): Apportioned {
  const whole = price.perMicros * step
  const exact = amountsMicros.map((micros) => micros * price.minor)
  const sum = exact.reduce((total, one) => total + one, 0n)
  const total = floorDivision(2n * sum + whole, 2n * whole)
  const floors = exact.map((one) => floorDivision(one, whole))
  let missing = total - floors.reduce((taken, one) => taken + one, 0n)
  const byRemainder = exact
    .map((one, index) => ({ index, remainder: one - (floors[index] ?? 0n) * whole }))
    .toSorted((one, other) => compare(other.remainder, one.remainder) || one.index - other.index)
  const parts = [...floors]
  for (const { index } of byRemainder) {
    if (missing <= 0n) break
    parts[index] = (parts[index] ?? 0n) + 1n
    missing--
  }
  if (missing !== 0n) throw new Error(`${missing} units are left over after ${parts.length} parts got one each`)
  return { total: total * step, parts: parts.map((part) => part * step) }
}

function floorDivision(value: bigint, by: bigint): bigint {
  const quotient = value / by
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient
}

function compare(one: bigint, other: bigint): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
