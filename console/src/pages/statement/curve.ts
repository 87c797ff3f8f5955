import type { BalanceCurveQuery, BalanceCurveQueryVariables } from '../../graphql/generated.ts'

/** The number of fields in the operation. */
const POINTS = 24

/** Evenly spaced times, including both ends. */
export function curveTimes(fromMs: number, toMs: number): number[] {
  return Array.from({ length: POINTS }, (_, n) => Math.round(fromMs + ((toMs - fromMs) * n) / (POINTS - 1)))
}

export function curveVariables(times: readonly number[]): Omit<BalanceCurveQueryVariables, 'asCompany'> {
  const named = times.map((ms, n) => [`at${n}`, new Date(ms).toISOString()])
  return Object.fromEntries(named) as Omit<BalanceCurveQueryVariables, 'asCompany'>
}

export function curveAmounts(data: BalanceCurveQuery, times: readonly number[]): bigint[] {
  return times.map((_, n) => BigInt(data[`at${n}` as keyof BalanceCurveQuery].amountMicros))
}

/** Numbers are exact enough for pixels. A balance is drawn as constant until the next known one. */
export function curvePath(amounts: readonly bigint[], width: number, height: number): string {
  const { low, high } = bounds(amounts)
  const span = Number(high - low) || 1
  return amounts
    .map((amount, n) => {
      const x = (width * n) / Math.max(1, amounts.length - 1)
      const y = height - (height * Number(amount - low)) / span
      return n === 0 ? `M${x.toFixed(1)} ${y.toFixed(1)}` : `H${x.toFixed(1)}V${y.toFixed(1)}`
    })
    .join('')
}

/** Always includes zero, so that a small change does not look large. */
export function bounds(amounts: readonly bigint[]): { readonly low: bigint; readonly high: bigint } {
  const all = [0n, ...amounts]
  return {
    low: all.reduce((least, one) => (one < least ? one : least)),
    high: all.reduce((most, one) => (one > most ? one : most)),
  }
}
