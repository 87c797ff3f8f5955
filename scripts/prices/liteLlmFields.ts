import type { RateName } from './importedPrice.ts'

/** The fields of LiteLLM's list for each rate, in dollars per token. */
const RATE_FIELDS = {
  input_cost_per_token: 'input',
  cache_read_input_token_cost: 'cachedInput',
  cache_creation_input_token_cost: 'cacheWrite',
  cache_creation_input_token_cost_above_1hr: 'cacheWrite1h',
  input_cost_per_audio_token: 'audioInput',
  input_cost_per_image_token: 'imageInput',
  output_cost_per_token: 'output',
  output_cost_per_reasoning_token: 'reasoning',
  output_cost_per_audio_token: 'audioOutput',
  output_cost_per_image_token: 'imageOutput',
} as const satisfies Record<string, RateName>

/** A field may end with the size of the input above which it applies, and with a service tier. */
const RATE_FIELD = new RegExp(
  `^(${Object.keys(RATE_FIELDS).join('|')})(?:_above_(\\d{1,6})(k?)_tokens)?(?:_(priority|flex))?$`,
)

export type RateField = {
  readonly kind: RateName
  /** The rate applies to larger input than this; 0 for input of any size. */
  readonly above: number
  /** null for the usual tier. */
  readonly serviceTier: string | null
}

/** What a field is the rate of; null if it is none. */
export function rateField(field: string): RateField | null {
  const match = RATE_FIELD.exec(field)
  if (!match) return null
  const [, base = '', size = '0', thousands, serviceTier = null] = match
  const kind = RATE_FIELDS[base as keyof typeof RATE_FIELDS]
  return { kind, above: Number(size) * (thousands ? 1_000 : 1), serviceTier }
}

/** The fee for each call. */
export const CALL_FIELD = 'input_cost_per_request'

type UnitField = {
  readonly unit: string
  /** How many units the amount is for, as a power of ten. */
  readonly unitsExponent: number
  /** The kinds of models for which the field has this meaning; all if undefined. */
  readonly modes?: readonly string[]
  /** A field with the price of the same thing by tokens, which precedes this one. */
  readonly instead?: string
}

/** The fields of units, in dollars. */
export const UNIT_FIELDS: Readonly<Record<string, UnitField>> = {
  output_cost_per_image: { unit: 'image', unitsExponent: 0, instead: 'output_cost_per_image_token' },
  input_cost_per_audio_per_second: { unit: 'audioSecond', unitsExponent: 0, instead: 'input_cost_per_audio_token' },
  // For other models these are seconds of rented capacity, and the characters of an input that is counted in tokens here.
  input_cost_per_second: { unit: 'audioSecond', unitsExponent: 0, modes: ['audio_transcription'] },
  input_cost_per_character: { unit: 'character', unitsExponent: 0, modes: ['audio_speech'] },
  file_search_cost_per_1k_calls: { unit: 'tool:file_search', unitsExponent: 3 },
}

/** The fee of a web search, by the amount of text that it puts before the model. */
export const SEARCH_FIELD = 'search_context_cost_per_query'
export const SEARCH_UNIT = 'tool:web_search'

/** Fields that repeat the price of another one. */
export const REPEATING_FIELDS: Readonly<Record<string, string>> = {
  input_cost_per_token_cache_hit: 'cache_read_input_token_cost',
  output_cost_per_second: 'input_cost_per_second',
}

/** Fields about money, including those that the list does not have yet. */
export const COST_FIELD = /cost|pric|multiplier|provider_specific_entry/
