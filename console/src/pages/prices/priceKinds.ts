/** The kinds of tokens that a price has rates for. `empty` says what an empty rate means; null: it must be given. */
export const RATES = [
  { id: 'inputPerMillionTokens', header: 'Input', empty: null },
  { id: 'cachedInputPerMillionTokens', header: 'Cached input', empty: 'as input' },
  { id: 'cacheWritePerMillionTokens', header: 'Cache write', empty: 'as input' },
  { id: 'cacheWrite1hPerMillionTokens', header: 'Cache write 1 h', empty: 'as cache write' },
  { id: 'audioInputPerMillionTokens', header: 'Audio input', empty: 'as input' },
  { id: 'imageInputPerMillionTokens', header: 'Image input', empty: 'as input' },
  { id: 'outputPerMillionTokens', header: 'Output', empty: null },
  { id: 'reasoningPerMillionTokens', header: 'Reasoning', empty: 'as output' },
  { id: 'audioOutputPerMillionTokens', header: 'Audio output', empty: 'as output' },
  { id: 'imageOutputPerMillionTokens', header: 'Image output', empty: 'as output' },
] as const
export type Rate = (typeof RATES)[number]
export type RateId = Rate['id']
export type FieldId = RateId | 'perCall'

const SIMPLE: ReadonlySet<RateId> = new Set([
  'inputPerMillionTokens',
  'cachedInputPerMillionTokens',
  'cacheWritePerMillionTokens',
  'outputPerMillionTokens',
])

/** The columns of the grid. */
export const SIMPLE_FIELDS = [
  ...RATES.filter(({ id }) => SIMPLE.has(id)),
  { id: 'perCall', header: 'A call', empty: 'no fee' },
] as const

/** The rates that a price rarely has; they are edited below the row of the alias. */
export const OTHER_RATES: readonly Rate[] = RATES.filter(({ id }) => !SIMPLE.has(id))

/** What is counted besides tokens, with the words for one of them. */
const UNITS: Readonly<Record<string, string>> = {
  image: 'image',
  audioSecond: 'second of audio',
  character: 'character',
  search: 'search',
}
/** Suggested where a unit is entered. Tools have other types, too. */
export const KNOWN_UNITS: readonly string[] = [...Object.keys(UNITS), 'tool:web_search', 'tool:file_search']
/** As providers report them. */
export const KNOWN_SERVICE_TIERS: readonly string[] = ['flex', 'priority', 'scale', 'batch']

export function unitWords(unit: string): string {
  return UNITS[unit] ?? unit.replace(/^tool:/, 'call of ')
}
