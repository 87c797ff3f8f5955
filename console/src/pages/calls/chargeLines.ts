import type { CallChargeFragment } from '../../graphql/generated.ts'
import { exactCredits, exactEach } from '../../parts/values/credits.ts'

/** One part of a charge; its rate is in millionths of a credit for a million tokens or units. */
export type ChargeLine = {
  readonly kind: string
  readonly count: number
  readonly rateMicros: bigint
  readonly amountMicros: bigint
}

/** A ledger event, as a receipt has it. */
export type StoredEvent = { readonly type: string; readonly data: Readonly<Record<string, unknown>> }

const TOKENS: Readonly<Record<string, string>> = {
  input: 'Input',
  cachedInput: 'Cached input',
  cacheWrite: 'Cache writes',
  cacheWrite1h: 'Cache writes, 1 h',
  audioInput: 'Audio input',
  imageInput: 'Image input',
  output: 'Output',
  reasoning: 'Reasoning',
  audioOutput: 'Audio output',
  imageOutput: 'Image output',
}
const OTHERS: Readonly<Record<string, string>> = {
  image: 'Images',
  audioSecond: 'Seconds of audio',
  character: 'Characters',
  search: 'Searches',
  call: 'Call fee',
  beyondBound: 'Above the bound, not charged',
}

export function kindWords(kind: string): string {
  return TOKENS[kind] ?? OTHERS[kind] ?? kind.replace(/^tool:/, 'Calls of ')
}

/** Tokens have a rate per million, units and the call one each. What was taken off has none. */
export function rateWords({ kind, rateMicros }: ChargeLine): string {
  if (kind === 'beyondBound') return ''
  return kind in TOKENS ? `${exactCredits(rateMicros)} per million` : `${exactEach(rateMicros)} each`
}

/** The lines of a charge; null if there are none, and the event from before charges had lines is not known either. */
export function linesOf(
  lines: CallChargeFragment['lines'],
  event: StoredEvent | undefined,
): readonly ChargeLine[] | null {
  if (lines === null) return event ? formerLines(event) : null
  return lines.map(({ kind, count, rateMicros, amountMicros }) => {
    return { kind, count, rateMicros: BigInt(rateMicros), amountMicros: BigInt(amountMicros) }
  })
}

export function sumOf(lines: readonly ChargeLine[]): bigint {
  return lines.reduce((sum, { amountMicros }) => sum + amountMicros, 0n)
}

/** The price book that the charge was computed with; null if the event is not a charge. */
export function bookIn({ type, data }: StoredEvent): string | null {
  const { price } = data
  return type === 'CallCharged' && isObject(price) && typeof price.bookId === 'string' ? price.bookId : null
}

/**
 * The lines of a charge that was computed as one amount, rounded up once; null if the event is not such a charge. Each
 * amount is what the line adds to the sum, so that they add up to the charge, as lines of later charges do.
 */
function formerLines({ type, data }: StoredEvent): readonly ChargeLine[] | null {
  const { price, tokensIn, tokensOut } = data
  if (type !== 'CallCharged' || !isObject(price) || typeof tokensIn !== 'number' || typeof tokensOut !== 'number')
    return null
  const input = micros(price.inputMicrosPerMillionTokens)
  const output = micros(price.outputMicrosPerMillionTokens)
  if (input === null || output === null) return null
  const cached = count(data.tokensCached)
  const written = count(data.tokensCacheWrite)
  const fee = micros(price.perCallMicros) ?? 0n
  let product = 0n
  let charged = 0n
  return [
    { kind: 'input', count: tokensIn - cached - written, rateMicros: input },
    { kind: 'cachedInput', count: cached, rateMicros: micros(price.cachedInputMicrosPerMillionTokens) ?? input },
    { kind: 'cacheWrite', count: written, rateMicros: micros(price.cacheWriteMicrosPerMillionTokens) ?? input },
    { kind: 'output', count: tokensOut, rateMicros: output },
    { kind: 'call', count: fee > 0n ? 1 : 0, rateMicros: fee * 1_000_000n },
  ]
    .filter((line) => line.count > 0)
    .map((line) => {
      product += BigInt(line.count) * line.rateMicros
      const amountMicros = (product + 999_999n) / 1_000_000n - charged
      charged += amountMicros
      return { ...line, amountMicros }
    })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function micros(value: unknown): bigint | null {
  return typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : null
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
