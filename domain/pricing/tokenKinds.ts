import type { Rates } from '../../contracts/events/pricing.ts'

/**
 * The kinds of tokens that providers tell apart, each with the kind whose rate it has if it has none of its own. Kinds do
 * not overlap: cached input is not counted as input as well.
 */
const PARENTS = {
  input: null,
  cachedInput: 'input',
  /** Written to a cache that keeps them for minutes. */
  cacheWrite: 'input',
  /** Written to a cache that keeps them for an hour. */
  cacheWrite1h: 'cacheWrite',
  audioInput: 'input',
  imageInput: 'input',
  output: null,
  reasoning: 'output',
  audioOutput: 'output',
  imageOutput: 'output',
} as const

export type TokenKind = keyof typeof PARENTS
export type InputPart = 'cachedInput' | 'cacheWrite' | 'cacheWrite1h' | 'audioInput' | 'imageInput'
export type OutputPart = 'reasoning' | 'audioOutput' | 'imageOutput'

/** In the order in which parts are believed if they add up to more than the whole. */
export const INPUT_PARTS = ['cachedInput', 'cacheWrite1h', 'cacheWrite', 'audioInput', 'imageInput'] as const
export const OUTPUT_PARTS = ['reasoning', 'audioOutput', 'imageOutput'] as const
export const TOKEN_KINDS = Object.keys(PARENTS) as readonly TokenKind[]

/** The rate of the kind itself, or of the nearest kind above it that has one. */
export function rateOf(rates: Rates, kind: TokenKind): string {
  const own = rates[kind]
  if (own !== undefined) return own
  const parent = PARENTS[kind]
  if (parent === null) throw new Error(`the rate of ${kind} is missing`)
  return rateOf(rates, parent)
}
