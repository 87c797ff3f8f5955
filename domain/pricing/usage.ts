import { INPUT_PARTS, type InputPart, OUTPUT_PARTS, type OutputPart } from './tokenKinds.ts'

/** Counts of tokens by kind; a kind that the provider does not report is absent. */
export type TokenParts = { readonly [Kind in InputPart | OutputPart]?: number }

/** What is counted besides tokens: `image`, `audioSecond`, `character`, `search`, or calls of a hosted tool, `tool:<type>`. */
export type UnitCounts = Readonly<Record<string, number>>

/**
 * What a call used, whatever the shape in which its provider reports it. `tokensIn` and `tokensOut` are all tokens of a
 * direction. The parts do not overlap, and together never exceed their direction.
 */
export type Usage = {
  readonly tokensIn: number
  readonly tokensOut: number
  readonly parts: TokenParts
  readonly units: UnitCounts
  /** The tier that the provider says it served the call at; null if it says none. */
  readonly serviceTier: string | null
}

/** The most that a call can use. Parts that are not named may be all of their direction; units cannot be used then. */
export type UsageBound = Pick<Usage, 'tokensIn' | 'tokensOut' | 'parts' | 'units'>

export const NO_UNITS: UnitCounts = {}
export const NO_USAGE: Usage = { tokensIn: 0, tokensOut: 0, parts: {}, units: NO_UNITS, serviceTier: null }

/** The usage within the bound, with parts that exceed their direction, and so cannot be true, reduced to what is left. */
export function boundedUsage(usage: Usage, bound: UsageBound = usage): Usage {
  // Every call is bounded, and most report nothing that could exceed its whole.
  if (bound === usage && !hasAny(usage.parts)) return usage
  const tokensIn = Math.min(usage.tokensIn, bound.tokensIn)
  const tokensOut = Math.min(usage.tokensOut, bound.tokensOut)
  const parts = {
    ...partsWithin(usage.parts, INPUT_PARTS, tokensIn, bound.parts),
    ...partsWithin(usage.parts, OUTPUT_PARTS, tokensOut, bound.parts),
  }
  return { tokensIn, tokensOut, parts, units: unitsWithin(usage.units, bound.units), serviceTier: usage.serviceTier }
}

function hasAny(parts: TokenParts): boolean {
  for (const _ in parts) return true
  return false
}

function partsWithin(
  parts: TokenParts,
  kinds: readonly (InputPart | OutputPart)[],
  whole: number,
  bounds: TokenParts,
): TokenParts {
  const within: { [Kind in InputPart | OutputPart]?: number } = {}
  let left = whole
  for (const kind of kinds) {
    const reported = parts[kind]
    if (reported === undefined) continue
    const count = Math.min(reported, left, bounds[kind] ?? left)
    within[kind] = count
    left -= count
  }
  return within
}

function unitsWithin(units: UnitCounts, bounds: UnitCounts): UnitCounts {
  if (units === bounds) return units
  const within: Record<string, number> = {}
  for (const [unit, count] of Object.entries(units)) {
    const most = Math.min(count, Object.hasOwn(bounds, unit) ? (bounds[unit] ?? 0) : 0)
    if (most > 0) within[unit] = most
  }
  return within
}

/** The tokens of the direction that belong to none of its parts. */
export function plainTokens(whole: number, parts: TokenParts, kinds: readonly (InputPart | OutputPart)[]): number {
  let plain = whole
  for (const kind of kinds) plain -= parts[kind] ?? 0
  return plain
}

/** The sum of two requests of one call, which may use different tiers: then the tier of the later one is reported. */
export function sumOf(a: Usage, b: Usage): Usage {
  return {
    tokensIn: a.tokensIn + b.tokensIn,
    tokensOut: a.tokensOut + b.tokensOut,
    parts: sumOfCounts(a.parts, b.parts),
    units: sumOfCounts(a.units, b.units),
    serviceTier: b.serviceTier ?? a.serviceTier,
  }
}

function sumOfCounts<T extends Readonly<Record<string, number | undefined>>>(a: T, b: T): T {
  const sum: Record<string, number | undefined> = { ...a }
  for (const [name, count] of Object.entries(b)) if (count !== undefined) sum[name] = (sum[name] ?? 0) + count
  return sum as T
}

/** The input that the provider read from its cache or wrote to it; null if it reports none of that kind. */
export function cachedTokens({ parts }: Usage): {
  readonly tokensCached: number | null
  readonly tokensCacheWrite: number | null
} {
  const { cachedInput, cacheWrite, cacheWrite1h } = parts
  const isWritten = cacheWrite !== undefined || cacheWrite1h !== undefined
  return {
    tokensCached: cachedInput ?? null,
    tokensCacheWrite: isWritten ? (cacheWrite ?? 0) + (cacheWrite1h ?? 0) : null,
  }
}
