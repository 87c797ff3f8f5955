import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AliasPrice, fromFormerPrice, type Rates } from '../contracts/events/pricing.ts'
import { decide } from '../domain/ledger/decider.ts'
import { recomputedCharge, recordedUsage } from '../domain/pricing/recordedCharge.ts'
import { INPUT_PARTS, OUTPUT_PARTS } from '../domain/pricing/tokenKinds.ts'
import { boundedUsage, cachedTokens, type TokenParts, type Usage } from '../domain/pricing/usage.ts'
import { propertyRuns } from '../test/support/cases/propertyRuns.ts'
import { anchored, charged, UNATTRIBUTED } from '../test/support/events/ledgerEvents.ts'
import { KEY, SampleTransparencyLog } from '../test/support/transparency/sampleTransparencyLog.ts'
import { check } from './check.mjs'

const COMPANY = '11111111-1111-4111-8111-111111111111'
const BOOK = '99999999-9999-4999-8999-999999999999'
const ALIAS = 'svc/chat-default'
const options = { vkeys: [KEY.vkey] }

const PARTS = [...INPUT_PARTS, ...OUTPUT_PARTS]
const UNITS = ['image', 'search', 'tool:web_search']
const TIERS = ['flex', 'priority', 'scale']
const rate = fc.oneof(fc.nat({ max: 30_000_000 }), fc.bigInt({ min: 0n, max: 10n ** 21n })).map(String)
const anyRates: fc.Arbitrary<Rates> = fc
  .tuple(rate, rate, fc.dictionary(fc.constantFrom(...PARTS), rate, { noNullPrototype: true }))
  .map(([input, output, others]) => ({ ...others, input, output }))
const anyTiers = fc
  .uniqueArray(fc.record({ tokens: fc.integer({ min: 1, max: 300 }), inclusive: fc.boolean(), rates: anyRates }), {
    selector: ({ tokens }) => tokens,
    maxLength: 3,
  })
  .map((tiers) => tiers.sort((a, b) => a.tokens - b.tokens))
const factor = fc.bigInt({ min: 0n, max: 4_000_000n }).map(String)
const anyPrice: fc.Arbitrary<AliasPrice> = fc.record(
  {
    rates: anyRates,
    inputTiers: anyTiers,
    unitRates: fc
      .tuple(...UNITS.map(() => rate))
      .map((rates) => Object.fromEntries(UNITS.map((unit, n) => [unit, rates[n] as string]))),
    tierFactors: fc.dictionary(fc.constantFrom(...TIERS), factor, { noNullPrototype: true }),
    callMicros: rate,
  },
  { requiredKeys: ['rates', 'unitRates'], noNullPrototype: true },
)
const count = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 100_000_000 }))
const anyParts: fc.Arbitrary<TokenParts> = fc.dictionary(fc.constantFrom(...PARTS), count, { noNullPrototype: true })
const anyUsage: fc.Arbitrary<Usage> = fc
  .record({
    tokensIn: count,
    tokensOut: count,
    parts: anyParts,
    units: fc.dictionary(fc.constantFrom(...UNITS), fc.nat({ max: 1000 }), { noNullPrototype: true }),
    serviceTier: fc.constantFrom(null, 'default', ...TIERS),
  })
  .map((usage) => boundedUsage(usage))

type Charged = ReturnType<typeof charged>

/** A charge as the ledger decides it. Sometimes its bound is lower than what it used. */
const anyCharge: fc.Arbitrary<{ price: AliasPrice; charge: Charged }> = fc
  .record({
    price: anyPrice,
    usage: anyUsage,
    requestedTier: fc.constantFrom(null, 'auto', 'default', ...TIERS),
    mostMicros: fc.oneof(fc.constant(null), fc.bigInt({ min: 0n, max: 1_000n })),
  })
  .map(({ price, usage, requestedTier, mostMicros }) => {
    const { data } = charged(COMPANY)
    const { companyId, callId, keyId, alias, endpoint, streamed, admittedAt, finishedAt } = data
    const call = { companyId, callId, keyId, alias, endpoint, streamed, admittedAt, finishedAt, ...UNATTRIBUTED }
    const bound = { requestedTier, mostMicros, abandoned: false }
    const [charge] = decide({ type: 'ChargeCall', call, usage, price: { ...price, bookId: BOOK }, ...bound })
    return { price, charge: charge as Charged }
  })

async function receiptOf(charge: Charged, price: AliasPrice) {
  const transparencyLog = new SampleTransparencyLog()
  transparencyLog.append(COMPANY, anchored(COMPANY, { bookId: BOOK, prices: { [ALIAS]: price } }))
  transparencyLog.append(COMPANY, charge)
  transparencyLog.checkpoint()
  return transparencyLog.receipt(1)
}

async function failuresOf(receipt: unknown): Promise<string[]> {
  const { checks } = await check(JSON.stringify(receipt), options)
  return checks.flatMap(({ name, ok, detail }) => (ok ? [] : [`${name}: ${detail}`]))
}

test('the checker computes every charge as the domain does', async () => {
  await fc.assert(
    fc.asyncProperty(anyCharge, async ({ price, charge }) => {
      expect(recomputedCharge(charge.data).amountMicros.toString()).toBe(charge.data.amountMicros)
      expect(await failuresOf(await receiptOf(charge, price))).toEqual([])
    }),
    { numRuns: propertyRuns({ few: 100, many: 1_000 }) },
  )
})

/** As charges before version 3 were stored. */
const formerPrice = fc.record(
  {
    inputMicrosPerMillionTokens: rate,
    outputMicrosPerMillionTokens: rate,
    cachedInputMicrosPerMillionTokens: rate,
    cacheWriteMicrosPerMillionTokens: rate,
    perCallMicros: rate,
  },
  { requiredKeys: ['inputMicrosPerMillionTokens', 'outputMicrosPerMillionTokens'], noNullPrototype: true },
)

test('the checker computes charges of earlier versions as the domain does, and compares their rates with the book', async () => {
  const usage = fc.record({ tokensIn: count, tokensOut: count, cached: fc.option(count), written: fc.option(count) })
  await fc.assert(
    fc.asyncProperty(
      formerPrice,
      usage,
      fc.boolean(),
      async (former, { tokensIn, tokensOut, cached, written }, wrong) => {
        const tokensCached = cached === null ? null : Math.min(cached, tokensIn)
        const tokensCacheWrite = written === null ? null : Math.min(written, tokensIn - (tokensCached ?? 0))
        const price = fromFormerPrice(former)
        const none = { lines: null, serviceTier: null, tierFactor: null }
        const counts = { tokensIn, tokensOut, tokensCached, tokensCacheWrite }
        const { data } = charged(COMPANY, { ...counts, ...none, price: { ...price, bookId: BOOK } })
        const amountMicros = String(recomputedCharge(data).amountMicros + (wrong ? 1n : 0n))
        const { lines: _l, serviceTier: _s, tierFactor: _t, abandoned: _a, ...rest } = data
        const stored = { ...rest, amountMicros, price: { bookId: BOOK, ...former } } as unknown as Charged['data']
        const failures = await failuresOf(await receiptOf({ type: 'CallCharged', data: stored }, price))
        expect(failures.map((failure) => failure.split(':')[0])).toEqual(wrong ? ['amount'] : [])
      },
    ),
    { numRuns: propertyRuns({ few: 60, many: 600 }) },
  )
})

test('a charge with any other line, rate, count, amount, tier factor or price is found and named', async () => {
  const place = fc.nat({ max: 1_000 })
  await fc.assert(
    fc.asyncProperty(anyCharge, place, fc.integer({ min: 1, max: 9 }), async ({ price, charge }, at, by) => {
      const places = placesOf({ lines: charge.data.lines, ...countsBeside(charge), price }).filter(isNumber)
      const [path, value] = places[at % places.length] as (typeof places)[number]
      const more = typeof value === 'number' ? value + by : (BigInt(value as string) + BigInt(by)).toString()
      const data = replaced({ ...charge.data, price: { ...price, bookId: BOOK } }, path, more)
      const forged = { type: 'CallCharged', data } as Charged
      // The operator signs the forged charge, so that only its figures can give it away.
      const failures = await failuresOf(await receiptOf(forged, price))
      const wrongs = failures.map((failure) => failure.split(':')[0])
      if (path[0] === 'price') expect(wrongs).toContain('price')
      else if (wrongs.length > 0) expect(wrongs).toEqual(['amount'])
      else expect([path[0], path[2], isConsistent(forged)]).toEqual(['lines', 'count', true])
      expect(failures.join()).not.toMatch(/undefined|NaN|\[object/)
    }),
    { numRuns: propertyRuns({ few: 200, many: 2_000 }) },
  )
})

/**
 * A few more units of a low price may change no amount. Their count stands nowhere else, so the forged charge is one that
 * the domain could have decided, and only its place in the log gives it away.
 */
function isConsistent({ data }: Charged): boolean {
  const { lines, amountMicros } = recomputedCharge(data)
  const isSameUsage = isDeepStrictEqual(boundedUsage(recordedUsage(data)), recordedUsage(data))
  const { tokensCached, tokensCacheWrite } = cachedTokens(recordedUsage(data))
  // Nothing of a kind has no line, whether the provider reported it as 0 or not at all.
  const isEqual = (one: number | null, other: number | null) => (one ?? 0) === (other ?? 0)
  const isSameCached = isEqual(tokensCached, data.tokensCached) && isEqual(tokensCacheWrite, data.tokensCacheWrite)
  const recorded = lines.map((line) => ({ ...line, amountMicros: line.amountMicros.toString() }))
  const isSame = isDeepStrictEqual(recorded, data.lines) && amountMicros.toString() === data.amountMicros
  return isSame && isSameUsage && isSameCached
}

const countsBeside = ({ data }: Charged) => ({
  amountMicros: data.amountMicros,
  tierFactor: data.tierFactor,
  tokensIn: data.tokensIn,
  tokensOut: data.tokensOut,
  tokensCached: data.tokensCached ?? 0,
  tokensCacheWrite: data.tokensCacheWrite ?? 0,
})

/** The paths of all values, with the values. */
function placesOf(value: unknown, path: readonly string[] = []): [readonly string[], unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([name, member]) => placesOf(member, [...path, name]))
}

const isNumber = ([, value]: [readonly string[], unknown]) => typeof value === 'number' || /^-?\d+$/.test(String(value))

function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by
  if (Array.isArray(value))
    return value.map((member, at) => (String(at) === name ? replaced(member, rest, by) : member))
  const object = value as Record<string, unknown>
  return { ...object, [name]: replaced(object[name], rest, by) }
}
