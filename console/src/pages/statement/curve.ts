import type { BalanceCurveQuery, BalanceCurveQueryVariables } from '../../graphql/generated.ts'

/** As many as the operation has fields. */
const POINTS = 24

/** Evenly spread moments, the first and the last included. */
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

/** Pixels need no exactness. A balance is drawn as it was until the next known one. */
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

/** Zero is always part of the picture, so that a small change does not look like a large one. */
export function bounds(amounts: readonly bigint[]): { readonly low: bigint; readonly high: bigint } {
  const all = [0n, ...amounts]
  return {
    low: all.reduce((least, one) => (one < least ? one : least)),
    high: all.reduce((most, one) => (one > most ? one : most)),
  }
}
