import { speaks, type WireName } from './wires.ts'

/** order: as in the file. weighted: each provider comes first in proportion to its weight. */
export const STRATEGIES = ['order', 'weighted'] as const
export type Strategy = (typeof STRATEGIES)[number]

export const DEFAULT_WEIGHT = 1

type Weighted = { readonly weight?: number; readonly wires?: readonly WireName[] }
type Route<Each> = { readonly strategy?: Strategy; readonly providers: readonly Each[] }

/**
 * The providers of an alias in the order in which a call tries them. One that does not serve the call's API is never
 * picked as the first, so that the weights of the others keep their proportions. The random part of the call's id
 * decides, so that all requests of one call go to the same provider, and a test that chooses the id chooses the
 * provider.
 */
export function providersInOrder<Each extends Weighted>(
  { strategy, providers }: Route<Each>,
  wire: WireName,
  callId: string,
): readonly Each[] {
  if (strategy !== 'weighted' || providers.length < 2) return providers
  const able = providers.filter((each) => speaks(each, wire))
  if (able.length === 0) return providers
  const first = chosen(able, fractionOf(callId))
  return first === providers[0] ? providers : [first, ...providers.filter((each) => each !== first)]
}

/** The provider whose part the fraction falls into, if each has a part in proportion to its weight. */
function chosen<Each extends Weighted>(providers: readonly Each[], fraction: number): Each {
  let left = fraction * providers.reduce((sum, each) => sum + weightOf(each), 0)
  let last = providers[0] as Each
  for (const each of providers) {
    const weight = weightOf(each)
    if (weight === 0) continue
    if (left < weight) return each
    left -= weight
    // Rounding may leave a remainder after the last one.
    last = each
  }
  return last
}

function weightOf({ weight = DEFAULT_WEIGHT }: Weighted): number {
  return weight
}

/** From 0 to less than 1: the last 32 bits of a UUID are random, while version 7 begins with the time. */
function fractionOf(callId: string): number {
  return Number.parseInt(callId.slice(-8), 16) / 2 ** 32
}
