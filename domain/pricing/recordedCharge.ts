import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { BEYOND_BOUND, type Charge, chargeAt, chargeWithin } from './charge.ts'
import { FACTOR_ONE } from './price.ts'
import { INPUT_PARTS, OUTPUT_PARTS, TOKEN_KINDS } from './tokenKinds.ts'
import type { TokenParts, Usage } from './usage.ts'

/** The data of a charge, as its event records it. */
export type RecordedCharge = Extract<LedgerEvent, { type: 'CallCharged' }>['data']

type UsedAndCharged = Pick<
  RecordedCharge,
  'tokensIn' | 'tokensOut' | 'tokensCached' | 'tokensCacheWrite' | 'lines' | 'serviceTier'
>

/** What the call used. A charge without lines had no parts but cached input. */
export function recordedUsage(charge: UsedAndCharged): Usage {
  const { tokensIn, tokensOut, lines, serviceTier } = charge
  if (lines === null) return { tokensIn, tokensOut, parts: cachedParts(charge), units: {}, serviceTier }
  const parts: Record<string, number> = {}
  const units: Record<string, number> = {}
  for (const { kind, count } of lines) {
    if (PARTS.has(kind)) parts[kind] = count
    else if (!OTHERS.has(kind)) units[kind] = count
  }
  return { tokensIn, tokensOut, parts, units, serviceTier }
}

const PARTS: ReadonlySet<string> = new Set([...INPUT_PARTS, ...OUTPUT_PARTS])
/** Kinds of lines that are neither a part nor a unit. */
const OTHERS: ReadonlySet<string> = new Set([...TOKEN_KINDS, 'call', BEYOND_BOUND])

function cachedParts({ tokensCached, tokensCacheWrite }: UsedAndCharged): TokenParts {
  return {
    ...(tokensCached !== null && { cachedInput: tokensCached }),
    ...(tokensCacheWrite !== null && { cacheWrite: tokensCacheWrite }),
  }
}

/** The charge as it follows from its usage, price and factor. What was taken off is believed. */
export function recomputedCharge(charge: RecordedCharge): Charge {
  const whole = chargeAt(charge.price, recordedUsage(charge), BigInt(charge.tierFactor ?? FACTOR_ONE))
  return isLimited(charge) ? chargeWithin(whole, BigInt(charge.amountMicros)) : whole
}

/** Whether the hold of the call, or another bound, was less than what it used. */
export function isLimited({ lines }: Pick<RecordedCharge, 'lines'>): boolean {
  return lines?.some(({ kind }) => kind === BEYOND_BOUND) ?? false
}
