import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { charged } from '../../test/support/events/ledgerEvents.ts'
import { ledgerEvents } from './ledger.ts'
import { isOrdinaryCharge } from './ordinaryCharge.ts'

const { schema, isValid } = ledgerEvents.CallCharged
const COMPANY = '11111111-1111-4111-8111-111111111111'
const PARTS = [
  ...['cachedInput', 'cacheWrite', 'cacheWrite1h', 'audioInput', 'imageInput'],
  ...['reasoning', 'audioOutput', 'imageOutput'],
]
const follows = (data: unknown) => schema.safeParse(data).success

const time = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') })
  .map((at) => at.toISOString())
const micros = fc.bigInt({ min: 0n, max: 10n ** 28n - 1n }).map(String)
const uuid = fc.uuid()
const rates = fc
  .tuple(micros, micros, fc.dictionary(fc.constantFrom(...PARTS), micros))
  .map(([input, output, parts]) => ({ ...parts, input, output }))
const lines = fc.array(fc.record({ kind: fc.string(), count: fc.maxSafeNat(), rate: micros, amountMicros: micros }), {
  maxLength: 3,
})
const facts = fc.record({
  companyId: uuid,
  callId: uuid,
  keyId: uuid,
  alias: fc.string(),
  endpoint: fc.string(),
  streamed: fc.boolean(),
  admittedAt: time,
  finishedAt: time,
  tokensIn: fc.maxSafeNat(),
  tokensOut: fc.maxSafeNat(),
  amountMicros: micros,
  label: fc.option(fc.string()),
  provider: fc.option(fc.string()),
  costMicros: fc.option(micros),
  costCurrency: fc.option(fc.constantFrom('usd', 'eur')),
  tokensCached: fc.option(fc.maxSafeNat()),
  tokensCacheWrite: fc.option(fc.maxSafeNat()),
  serviceTier: fc.option(fc.string()),
  tierFactor: fc.option(micros),
  abandoned: fc.boolean(),
})
/** A charge by rates of tokens and a fee, of which nothing was taken off. */
const ordinary = fc
  .tuple(
    facts,
    fc.record({ bookId: uuid, rates, callMicros: micros }, { requiredKeys: ['bookId', 'rates'] }),
    fc.option(lines),
  )
  .map(([data, price, its]) => ({ ...data, price, lines: its }))
const isOnLeapDay = ({ admittedAt, finishedAt }: { readonly admittedAt: string; readonly finishedAt: string }) =>
  [admittedAt, finishedAt].some((at) => at.slice(5, 10) === '02-29')

const names = fc.oneof(fc.constantFrom('search', 'tool:web_search', 'flex', 'toString', '__proto__'), fc.string())
/** With everything that a price can have. */
const anyPrice = fc.record(
  {
    ...{ bookId: uuid, rates, callMicros: micros },
    inputTiers: fc.array(fc.record({ tokens: fc.integer({ min: 1 }), inclusive: fc.boolean(), rates }), {
      maxLength: 2,
    }),
    ...{ unitRates: fc.dictionary(names, micros), tierFactors: fc.dictionary(names, micros) },
  },
  { requiredKeys: ['bookId', 'rates'] },
)
const beyondBound = micros.map((amount) => ({
  kind: 'beyondBound',
  count: 0,
  rate: '0',
  amountMicros: amount === '0' ? '0' : `-${amount}`,
}))
const anyLines = fc.tuple(lines, fc.option(beyondBound)).map(([its, last]) => (last ? [...its, last] : its))
const charge = fc.oneof(
  ordinary,
  fc.tuple(facts, anyPrice, fc.option(anyLines)).map(([data, price, its]) => ({ ...data, price, lines: its })),
)

/** Values close to valid ones: other types, other spellings, one character more, less or different. */
const ODD_VALUES = [
  ...[undefined, null, true, [], {}, '', '0', '-1', '01', '1.0', ' 1', '1\n', '9'.repeat(29)],
  ...[0, -0, -1, 0.5, Number.NaN, 2 ** 53],
  ...['2024-02-29T00:00:00.000Z', '2025-02-29T00:00:00.000Z', '2026-04-31T00:00:00.000Z', '24:00', '2026-1-1'],
  ...['2026-01-31T23:59:59.999Z', '2026-01-31T24:00:00.000Z', '2026-01-31T23:59:60.000Z', 'USD', 'us', 'usd\n'],
  ...[COMPANY, COMPANY.toUpperCase().replace('1', 'A'), `${COMPANY}\n`, COMPANY.replaceAll('-', '')],
]
const oddValue = fc.oneof(fc.constantFrom(...ODD_VALUES), time, micros, uuid, fc.jsonValue())

const fullOrdinary = charged(COMPANY, {
  ...{ label: 'team-a', provider: 'first', costMicros: '1', costCurrency: 'usd', tokensCached: 1, tokensCacheWrite: 1 },
  ...{ price: { bookId: COMPANY, rates: ratesOf('1'), callMicros: '2' }, serviceTier: 'flex' },
}).data
/** A charge with everything that one can have. */
const full = {
  ...fullOrdinary,
  price: {
    ...fullOrdinary.price,
    inputTiers: [{ tokens: 3, inclusive: true, rates: ratesOf('4') }],
    ...{ unitRates: { search: '5' }, tierFactors: { flex: '500000' } },
  },
  lines: [...(fullOrdinary.lines ?? []), { kind: 'beyondBound', count: 0, rate: '0', amountMicros: '-5' }],
}

function ratesOf(rate: string) {
  return { input: rate, output: rate, ...Object.fromEntries(PARTS.map((part) => [part, rate])) }
}

type Change = {
  readonly path: readonly string[]
  readonly how: 'set' | 'delete' | 'add' | 'edit'
  readonly value: unknown
}

/** The path to every value in it, at any depth. */
function pathsIn(value: unknown, to: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [[...to, name], ...pathsIn(inner, [...to, name])])
}

const change: fc.Arbitrary<Change> = fc.record({
  path: fc.constantFrom(...pathsIn(full)),
  how: fc.constantFrom('set', 'delete', 'add', 'edit'),
  value: oddValue,
})

function changed(data: unknown, { path, how, value }: Change): unknown {
  const copy = structuredClone(data)
  let inner: unknown = copy
  for (const name of path.slice(0, -1)) inner = isFields(inner) ? inner[name] : undefined
  if (!isFields(inner)) return copy
  const name = path.at(-1) as string
  const next = how === 'edit' ? edited(textOf(inner[name]), textOf(value)) : value
  // Arrays of JSON have neither holes nor other fields.
  if (Array.isArray(inner)) inner.splice(Number(name), how === 'add' ? 0 : 1, ...(how === 'delete' ? [] : [next]))
  else if (how === 'delete') delete inner[name]
  else inner[how === 'add' ? `${name}Too` : name] = next
  return copy
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** An object may have a field `toString`, so that it has no text but its JSON. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** One character replaced by another. */
function edited(text: string, by: string): string {
  const at = by.length % (text.length + 1)
  return text.slice(0, at) + by.slice(0, 1) + text.slice(at + 1)
}

describe('the check of a charge', () => {
  test('accepts every charge by rates and a fee, except on leap days, without using the schema', () => {
    fc.assert(
      fc.property(ordinary, (data) => {
        expect(isOrdinaryCharge(data)).toBe(!isOnLeapDay(data))
        expect(isValid(data)).toBe(true)
        expect(follows(data)).toBe(true)
      }),
    )
  })

  test('accepts every charge with input tiers, units, service tiers or a line that takes something off', () => {
    expect([isValid(full), isOrdinaryCharge(full)]).toEqual([true, false])
    fc.assert(
      fc.property(charge, (data) => {
        expect(isValid(data)).toBe(true)
        expect(follows(data)).toBe(true)
      }),
    )
  })

  const changes = fc.array(change, { minLength: 1, maxLength: 3 })
  const otherCharge = fc.tuple(charge, changes).map(([data, made]) => made.reduce<unknown>(changed, data))

  test('agrees with the schema on charges that were changed in any way', () => {
    fc.assert(
      fc.property(otherCharge, (other) => {
        const verdict = follows(other)
        expect(isValid(other)).toBe(verdict)
        if (isOrdinaryCharge(other)) expect(verdict).toBe(true)
      }),
      { numRuns: propertyRuns({ few: 500, many: 4_000 }) },
    )
  })

  test('accepts no value, in any field of an ordinary charge, that the schema refuses', () => {
    expect(isOrdinaryCharge(fullOrdinary)).toBe(true)
    const changes = pathsIn(fullOrdinary).flatMap((path) => [
      ...ODD_VALUES.map((value) => ({ path, how: 'set', value }) as const),
      ...(['add', 'delete'] as const).map((how) => ({ path, how, value: '1' })),
    ])
    const wrong = changes.filter((one) => {
      const other = changed(fullOrdinary, one)
      return isOrdinaryCharge(other) && !follows(other)
    })
    expect(wrong).toEqual([])
  })

  test('is tried with changed charges that follow the schema, and with those that do not', () => {
    const verdicts = fc.sample(otherCharge, { numRuns: 500, seed: 1 }).map(follows)
    expect(verdicts.filter((isValidCharge) => isValidCharge).length).toBeGreaterThan(5)
    expect(verdicts.filter((isValidCharge) => !isValidCharge).length).toBeGreaterThan(100)
  })

  test.each([undefined, null, 'a text', 1, [], {}, new Date(0)])('refuses %j', (data) => {
    expect(isOrdinaryCharge(data)).toBe(false)
    expect(isValid(data)).toBe(false)
  })

  test('leaves charges of a leap day to the schema, which accepts them', () => {
    const { data } = charged(COMPANY, { finishedAt: '2028-02-29T12:00:00.000Z' })
    expect([isOrdinaryCharge(data), isValid(data)]).toEqual([false, true])
  })
})
