/** One part of a charge: a number of tokens, and a rate per million tokens in millionths of a credit. */
export type PriceLine = { readonly name: string; readonly tokens: number; readonly rateMicros: bigint }

export type Priced = {
  readonly bookId: string
  readonly lines: readonly PriceLine[]
  readonly perCallMicros: bigint
  /** The sum of the lines, rounded up once to a millionth, plus the call fee. */
  readonly sumMicros: bigint
}

/** The parts of a charge as its event records them; null if the event is not a charge or has another shape. */
export function pricedBy({
  type,
  data,
}: {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}): Priced | null {
  const { price, tokensIn, tokensOut } = data
  if (type !== 'CallCharged' || !isObject(price) || typeof tokensIn !== 'number' || typeof tokensOut !== 'number')
    return null
  const input = micros(price.inputMicrosPerMillionTokens)
  const output = micros(price.outputMicrosPerMillionTokens)
  if (input === null || output === null) return null
  const cached = count(data.tokensCached)
  const written = count(data.tokensCacheWrite)
  const lines = [
    { name: 'Input', tokens: tokensIn - cached - written, rateMicros: input },
    { name: 'Cached input', tokens: cached, rateMicros: micros(price.cachedInputMicrosPerMillionTokens) ?? input },
    { name: 'Cache writes', tokens: written, rateMicros: micros(price.cacheWriteMicrosPerMillionTokens) ?? input },
    { name: 'Output', tokens: tokensOut, rateMicros: output },
  ]
  const perCallMicros = micros(price.perCallMicros) ?? 0n
  const sum = lines.reduce((all, { tokens, rateMicros }) => all + BigInt(tokens) * rateMicros, 0n)
  return {
    bookId: String(price.bookId),
    lines: lines.filter(({ name, tokens }) => tokens > 0 || name === 'Input' || name === 'Output'),
    perCallMicros,
    sumMicros: (sum + 999_999n) / 1_000_000n + perCallMicros,
  }
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
