/** Rates by kind of tokens, for a million of them. */
type Rates = { readonly input: string; readonly output: string; readonly [kind: string]: string | undefined }

export type Price = {
  readonly rates: Rates
  readonly inputTiers?: readonly { readonly tokens: number; readonly inclusive: boolean; readonly rates: Rates }[]
  readonly unitRates?: Readonly<Record<string, string>>
  readonly tierFactors?: Readonly<Record<string, string>>
  readonly callMicros?: string
}

type Line = { readonly kind: string; readonly count: number; readonly rate: string; readonly amountMicros: string }

export type ChargeWithLines = {
  readonly tokensIn: number
  readonly tokensOut: number
  readonly tokensCached: number | null
  readonly tokensCacheWrite: number | null
  readonly serviceTier: string | null
  readonly tierFactor: string | null
  readonly amountMicros: string
  readonly price: Price
  readonly lines: readonly Line[] | null
}

/** What a call used. `kinds` are those tokens of the input and the output that are counted apart. */
export type Used = {
  readonly tokensIn: number
  readonly tokensOut: number
  readonly kinds: Readonly<Record<string, number>>
  readonly units: Readonly<Record<string, number>>
}

const MILLION = 1_000_000n
const USUAL_FACTOR = '1000000'
const FEE = 'call'
const BEYOND = 'beyondBound'

/** Each kind of tokens with the one whose rate it has if it has none of its own. */
const PARENTS: Readonly<Record<string, string>> = {
  ...{ input: '', cachedInput: 'input', cacheWrite: 'input', cacheWrite1h: 'cacheWrite' },
  ...{ audioInput: 'input', imageInput: 'input' },
  ...{ output: '', reasoning: 'output', audioOutput: 'output', imageOutput: 'output' },
}

function directionOf(kind: string): string {
  const parent = PARENTS[kind] as string
  return parent === '' ? kind : directionOf(parent)
}

function rateOf({ rates, inputTiers = [] }: Price, tokensIn: number, kind: string): string {
  let applied = rates
  for (const { tokens, inclusive, rates: larger } of inputTiers) {
    if (inclusive ? tokensIn >= tokens : tokensIn > tokens) applied = larger
  }
  let known = kind
  while (applied[known] === undefined) known = PARENTS[known] as string
  return applied[known] as string
}

/** By the tier that the provider reported, but at most by that of the request; `auto` leaves it to the provider. */
export function factorFor(price: Price, reported: string | null, requested: string | null): string {
  const factors = price.tierFactors ?? {}
  const factorOf = (tier: string | null) => Number(factors[tier ?? ''] ?? USUAL_FACTOR)
  const allowed = requested === 'auto' ? Object.values(factors).map(Number) : [factorOf(requested)]
  return String(Math.min(factorOf(reported), Math.max(Number(USUAL_FACTOR), ...allowed)))
}

/** Every kind that is counted, with its tokens or units, its rate, and whether the factor of the service tier applies. */
function countsOf({ tokensIn, tokensOut, kinds, units }: Used, price: Price) {
  const plain: Record<string, number> = { input: tokensIn, output: tokensOut }
  for (const [kind, count] of Object.entries(kinds)) plain[directionOf(kind)] = (plain[directionOf(kind)] ?? 0) - count
  const tokens = Object.entries({ ...plain, ...kinds }).map(([kind, count]) => {
    return { kind, count, rate: rateOf(price, tokensIn, kind), isOfTier: true }
  })
  const others = Object.entries(units).map(([kind, count]) => {
    const rate = price.unitRates?.[kind]
    if (rate === undefined) throw new Error(`${kind} is not for sale`)
    return { kind, count, rate, isOfTier: false }
  })
  const { callMicros } = price
  const fees = callMicros === undefined ? [] : [{ kind: FEE, count: 1, rate: `${callMicros}000000`, isOfTier: false }]
  return [...tokens, ...others, ...fees].filter(({ count }) => count !== 0)
}

/** What a call costs by the formula in docs/auditors.md, whatever lines it is shown in. */
export function costOf(used: Used, price: Price, factor: string): bigint {
  const exact = countsOf(used, price).reduce((sum, { count, rate, isOfTier }) => {
    return sum + BigInt(count) * BigInt(rate) * (isOfTier ? BigInt(factor) : MILLION)
  }, 0n)
  return roundedUp(exact)
}

/** What is wrong with the lines of a charge, given what its call used; null if they are right. */
export function linesWrong(charge: ChargeWithLines, used: Used): string | null {
  const { price, amountMicros, lines, tierFactor } = charge
  if (lines === null || tierFactor === null) return 'has no lines'
  const missing = new Map(countsOf(used, price).map((counted) => [counted.kind, counted]))
  let exact = 0n
  let sum = 0n
  for (const [n, { kind, count, rate, amountMicros: amount }] of lines.entries()) {
    if (kind === BEYOND) {
      const isLast = n === lines.length - 1
      if (!isLast || count !== 0 || rate !== '0' || BigInt(amount) >= 0n) return `has a wrong line ${kind}`
      sum += BigInt(amount)
      continue
    }
    const expected = missing.get(kind)
    if (!expected) return `has a line ${kind} too many`
    missing.delete(kind)
    if (count !== expected.count) return `counts ${count} ${kind}, and not ${expected.count}`
    if (rate !== expected.rate) return `has ${kind} at the rate ${rate}, and not ${expected.rate}`
    exact += BigInt(count) * BigInt(rate) * (expected.isOfTier ? BigInt(tierFactor) : MILLION)
    if (BigInt(amount) !== roundedUp(exact) - sum) return `has ${kind} for ${amount}, and not ${roundedUp(exact) - sum}`
    sum = roundedUp(exact)
  }
  const [left] = missing.keys()
  if (left !== undefined) return `has no line ${left}`
  return String(sum) === amountMicros ? null : `costs ${sum}, and not ${amountMicros}`
}

/** What the charge itself says that its call used. */
export function usedBy({ tokensIn, tokensOut, lines }: ChargeWithLines): Used {
  const kinds: Record<string, number> = {}
  const units: Record<string, number> = {}
  for (const { kind, count } of lines ?? []) {
    if (['input', 'output', FEE, BEYOND].includes(kind)) continue
    if (kind in PARENTS) kinds[kind] = count
    else units[kind] = count
  }
  return { tokensIn, tokensOut, kinds, units }
}

/** What does not agree within a charge, whatever its call used. */
export function chargeWrong(charge: ChargeWithLines): string | null {
  const { price, serviceTier, tierFactor, tokensCached, tokensCacheWrite, lines } = charge
  if (lines === null || tierFactor === null) return 'has no lines'
  const used = usedBy(charge)
  const { cachedInput = 0, cacheWrite = 0, cacheWrite1h = 0 } = used.kinds
  if ((tokensCached ?? 0) !== cachedInput) return `says ${tokensCached} cached tokens, and its lines ${cachedInput}`
  if ((tokensCacheWrite ?? 0) !== cacheWrite + cacheWrite1h) {
    return `says ${tokensCacheWrite} tokens written to the cache, and its lines ${cacheWrite + cacheWrite1h}`
  }
  const reported = Number(factorFor(price, serviceTier, 'auto'))
  const known = [USUAL_FACTOR, ...Object.values(price.tierFactors ?? {})]
  if (!known.includes(tierFactor) || Number(tierFactor) > reported) {
    return `has the factor ${tierFactor} for the tier ${serviceTier}`
  }
  return linesWrong(charge, used)
}

function roundedUp(exact: bigint): bigint {
  const one = MILLION * MILLION
  return exact / one + (exact % one > 0n ? 1n : 0n)
}
