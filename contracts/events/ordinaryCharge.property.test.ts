import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { charged } from '../../test/support/events/ledgerEvents.ts'
import { ledgerEvents, priceApplied } from './ledger.ts'
import { isOrdinaryCharge } from './ordinaryCharge.ts'

const { schema, isValid } = ledgerEvents.CallCharged
const COMPANY = '11111111-1111-4111-8111-111111111111'
const follows = (data: unknown) => schema.safeParse(data).success

const time = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') })
  .map((at) => at.toISOString())
const micros = fc.bigInt({ min: 0n, max: 10n ** 28n - 1n }).map(String)
const uuid = fc.uuid()
const charge = fc.record({
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
  price: fc.record(
    {
      ...{ bookId: uuid, inputMicrosPerMillionTokens: micros, outputMicrosPerMillionTokens: micros },
      ...{ cachedInputMicrosPerMillionTokens: micros, cacheWriteMicrosPerMillionTokens: micros, perCallMicros: micros },
    },
    { requiredKeys: ['bookId', 'inputMicrosPerMillionTokens', 'outputMicrosPerMillionTokens'] },
  ),
})

/** Values close to valid ones: other types, other spellings, one character more, less or different. */
const oddValue = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    '',
    '0',
    '-1',
    '01',
    '1.0',
    ' 1',
    '1\n',
    0,
    -0,
    -1,
    0.5,
    Number.NaN,
    2 ** 53,
    true,
    [],
  ),
  fc.constantFrom('2024-02-29T00:00:00.000Z', '2025-02-29T00:00:00.000Z', '2026-04-31T00:00:00.000Z', '24:00'),
  fc.constantFrom('2026-01-31T23:59:59.999Z', '2026-01-31T24:00:00.000Z', '2026-01-31T23:59:60.000Z', '2026-1-1'),
  fc.constantFrom(
    COMPANY,
    COMPANY.toUpperCase().replace('1', 'A'),
    `${COMPANY}\n`,
    COMPANY.replaceAll('-', ''),
    '9'.repeat(29),
    'USD',
    'us',
    'usd\n',
  ),
  time,
  micros,
  uuid,
  fc.jsonValue(),
)

type Change = {
  readonly path: readonly string[]
  readonly how: 'set' | 'delete' | 'add' | 'edit'
  readonly value: unknown
}

const top = Object.keys(charged(COMPANY).data)
const inPrice = Object.keys(priceApplied.shape).map((name) => ['price', name])
const change: fc.Arbitrary<Change> = fc.record({
  path: fc.constantFrom(...top.map((name) => [name]), ...inPrice),
  how: fc.constantFrom('set', 'delete', 'add', 'edit'),
  value: oddValue,
})

function changed(data: unknown, { path, how, value }: Change): unknown {
  const copy = structuredClone(data) as Record<string, unknown>
  const inner = path.length > 1 ? copy.price : copy
  if (typeof inner !== 'object' || inner === null) return copy
  const fields = inner as Record<string, unknown>
  const name = path.at(-1) as string
  if (how === 'delete') delete fields[name]
  else if (how === 'add') fields[`${name}Too`] = value
  else if (how === 'set') fields[name] = value
  else fields[name] = edited(textOf(fields[name]), textOf(value))
  return copy
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
  test('accepts every charge that matches the schema, except on leap days, without using the schema', () => {
    fc.assert(
      fc.property(charge, (data) => {
        expect(follows(data)).toBe(true)
        const times = [data.admittedAt, data.finishedAt]
        expect(isOrdinaryCharge(data)).toBe(!times.some((at) => at.slice(5, 10) === '02-29'))
        expect(isValid(data)).toBe(true)
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
