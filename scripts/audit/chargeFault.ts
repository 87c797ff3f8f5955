import type { ChargeLine } from '../../contracts/events/ledger.ts'
import type { Line } from '../../domain/pricing/charge.ts'
import { FACTOR_ONE, tierFactor, unpricedUnits } from '../../domain/pricing/price.ts'
import { type RecordedCharge, recomputedCharge, recordedUsage } from '../../domain/pricing/recordedCharge.ts'
import { cachedTokens } from '../../domain/pricing/usage.ts'

/** What does not follow from the price and the usage that a charge records; null if all of it does. */
export function chargeFault(charge: RecordedCharge): string | null {
  const [unpriced] = unpricedUnits(charge.price, Object.keys(recordedUsage(charge).units))
  if (unpriced !== undefined) return `the price of the charge has no rate for ${unpriced}`
  if (!isPossibleFactor(charge)) return 'the factor of the charge is not that of its service tier'
  const { amountMicros, lines } = recomputedCharge(charge)
  if (amountMicros.toString() !== charge.amountMicros)
    return 'the charge does not equal its price times its tokens and units'
  return charge.lines === null ? null : (lineFault(charge.lines, lines) ?? cachedFault(charge))
}

/** The amount of the charge, computed again; null if its price does not say what the usage costs. */
export function recomputedMicros(charge: RecordedCharge): bigint | null {
  const { units } = recordedUsage(charge)
  return unpricedUnits(charge.price, Object.keys(units)).length > 0 ? null : recomputedCharge(charge).amountMicros
}

/**
 * A call is charged by the tier that its provider reported, but never by a dearer one than it requested. The event does not
 * contain the request, so a lower factor of the same price may be right.
 */
function isPossibleFactor({ price, serviceTier, tierFactor: charged, lines }: RecordedCharge): boolean {
  if (lines === null || charged === null) return lines === null && charged === null
  const factor = BigInt(charged)
  const known = [FACTOR_ONE, ...Object.values(price.tierFactors ?? {}).map(BigInt)]
  return known.includes(factor) && factor <= tierFactor(price, serviceTier)
}

function lineFault(recorded: readonly ChargeLine[], expected: readonly Line[]): string | null {
  const length = Math.max(recorded.length, expected.length)
  for (let n = 0; n < length; n++) {
    const [line, other] = [recorded[n], expected[n]]
    if (line && other && isSame(line, other)) continue
    return `line ${n + 1} of the charge, ${line?.kind ?? other?.kind}, does not follow from its price and usage`
  }
  return null
}

/** The counts of cached input are on the event twice. A count of zero has no line. */
function cachedFault(charge: RecordedCharge): string | null {
  const { tokensCached, tokensCacheWrite } = cachedTokens(recordedUsage(charge))
  const isEqual =
    (charge.tokensCached ?? 0) === (tokensCached ?? 0) && (charge.tokensCacheWrite ?? 0) === (tokensCacheWrite ?? 0)
  return isEqual ? null : 'the cached input of the charge is not that of its lines'
}

function isSame(line: ChargeLine, { kind, count, rate, amountMicros }: Line): boolean {
  return (
    line.kind === kind && line.count === count && line.rate === rate && line.amountMicros === amountMicros.toString()
  )
}
