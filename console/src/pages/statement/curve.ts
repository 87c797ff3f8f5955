import { TypedDocumentString } from '../../graphql/generated.ts'

/** The API allows 30 aliases in one request. */
const POINTS = 24
const NAMES = Array.from({ length: POINTS }, (_, n) => `at${n}`)

type Balance = { readonly amountMicros: string }
type CurveTimes = Readonly<Record<`at${number}`, string>>

/** The balance at each of the times. */
export const BALANCE_CURVE = new TypedDocumentString<
  Readonly<Record<string, Balance>>,
  CurveTimes & { readonly asCompany?: string | null }
>(`query BalanceCurve($asCompany: ID, ${NAMES.map((name) => `$${name}: DateTime!`).join(', ')}) {
  ${NAMES.map((name) => `${name}: creditBalance(asCompany: $asCompany, at: $${name}) { amountMicros }`).join('\n  ')}
}`)

/** Evenly spaced times, including both ends. */
export function curveTimes(fromMs: number, toMs: number): number[] {
  return Array.from({ length: POINTS }, (_, n) => Math.round(fromMs + ((toMs - fromMs) * n) / (POINTS - 1)))
}

export function curveVariables(times: readonly number[]): CurveTimes {
  return Object.fromEntries(times.map((ms, n) => [`at${n}`, new Date(ms).toISOString()]))
}

export function curveAmounts(data: Readonly<Record<string, Balance>>): bigint[] {
  return NAMES.map((name) => BigInt((data[name] as Balance).amountMicros))
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
