import { describe, expect, test } from 'vitest'
import { COMMON_LEDGER_ID, type LedgerEvent } from '../contracts/events/ledger.ts'
import { decide } from '../domain/ledger/decider.ts'
import { anchored, charged, granted, UNATTRIBUTED } from '../test/support/events/ledgerEvents.ts'
import { KEY, SampleTransparencyLog } from '../test/support/transparency/sampleTransparencyLog.ts'
import { check } from './check.mjs'

const [COMPANY, OTHER] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const
const BOOK = '99999999-9999-4999-8999-999999999999'
const OTHER_BOOK = '88888888-8888-4888-8888-888888888888'
const ALIAS = 'svc/chat-default'
const ADMITTED_AT = '2026-03-01T10:00:29.000Z'

/** Every dimension of a price. */
const PRICE = {
  rates: { input: '3000000', cachedInput: '300000', output: '15000000', reasoning: '20000000' },
  inputTiers: [
    { tokens: 200, inclusive: false, rates: { input: '6000000', cacheWrite: '7500000', output: '22500000' } },
    { tokens: 300, inclusive: true, rates: { input: '7000000', output: '30000000' } },
  ],
  unitRates: { search: '10000000000', image: '40000000000' },
  tierFactors: { priority: '2000000', flex: '500000' },
  callMicros: '7',
}
const USAGE = {
  ...{ tokensIn: 250, tokensOut: 40 },
  parts: { cachedInput: 30, cacheWrite1h: 20, reasoning: 15 },
  ...{ units: { search: 2, image: 1 }, serviceTier: 'priority' },
}
type Charged = ReturnType<typeof charged>
type Anchored = ReturnType<typeof anchored>

function chargeOf({ usage = USAGE, requestedTier = 'priority', mostMicros = null as bigint | null } = {}): Charged {
  const { companyId, callId, keyId, endpoint, streamed, finishedAt } = charged(COMPANY).data
  const call = { companyId, callId, keyId, alias: ALIAS, endpoint, streamed, admittedAt: ADMITTED_AT, finishedAt }
  const bounds = { requestedTier, mostMicros, abandoned: false }
  const price = { ...PRICE, bookId: BOOK }
  const [event] = decide({ type: 'ChargeCall', call: { ...call, ...UNATTRIBUTED }, usage, price, ...bounds })
  return event as Charged
}
const bookOf = (owner: string | null, changes: Partial<Anchored['data']> = {}) =>
  anchored(owner, { bookId: BOOK, prices: { [ALIAS]: PRICE }, ...changes })

/** What an operator who signs these events could show. */
async function receiptOf(charge: Charged, book: LedgerEvent | null, ledger = book?.data.companyId ?? COMPANY) {
  const transparencyLog = new SampleTransparencyLog()
  transparencyLog.append(ledger, book ?? granted(ledger))
  transparencyLog.append(COMPANY, charge)
  transparencyLog.checkpoint()
  const receipt = await transparencyLog.receipt(1)
  if (book === null || receipt.book !== null) return receipt
  const { version: _, book: __, ...entry } = await transparencyLog.receipt(0)
  return { ...receipt, book: entry }
}

async function faultsOf(receipt: unknown): Promise<string[]> {
  const { ok, checks } = await check(JSON.stringify(receipt), { vkeys: [KEY.vkey] })
  const faults = checks.flatMap((done) => (done.ok ? [] : [`${done.name}: ${done.detail}`]))
  expect(ok).toBe(faults.length === 0)
  return faults
}
const withData = ({ data }: Charged, changes: object): Charged =>
  ({ type: 'CallCharged', data: { ...data, ...changes } }) as Charged
const withLines = (charge: Charged, change: (lines: readonly object[]) => readonly object[]): Charged =>
  withData(charge, { lines: change(charge.data.lines ?? []) })
const withLine = (charge: Charged, at: number, changes: object): Charged =>
  withLines(charge, (lines) => lines.map((line, n) => (n === at ? { ...line, ...changes } : line)))

describe('the lines of a charge', () => {
  test('are computed again from counts, tiers, units, factor and fee', async () => {
    const charge = chargeOf()
    expect(charge.data.lines?.map(({ kind, count, rate }) => `${count} ${kind} at ${rate}`)).toEqual([
      '200 input at 6000000',
      '30 cachedInput at 6000000',
      '20 cacheWrite1h at 7500000',
      '25 output at 22500000',
      '15 reasoning at 22500000',
      '1 image at 40000000000',
      '2 search at 10000000000',
      '1 call at 7000000',
    ])
    expect(await faultsOf(await receiptOf(charge, bookOf(null)))).toEqual([])
  })

  test.for([
    [200, '3000000'],
    [201, '6000000'],
    [299, '6000000'],
    [300, '7000000'],
  ] as const)('have the rates for input of their size: %i tokens', async ([tokensIn, rate]) => {
    const charge = chargeOf({ usage: { ...USAGE, tokensIn } })
    expect(charge.data.lines?.[0]).toMatchObject({ kind: 'input', rate })
    expect(await faultsOf(await receiptOf(charge, bookOf(null)))).toEqual([])
  })

  test('may be charged at a lower tier than the one that is reported, and take off what exceeds a bound', async () => {
    for (const charge of [chargeOf({ requestedTier: 'default' }), chargeOf({ mostMicros: 99n })]) {
      expect(await faultsOf(await receiptOf(charge, bookOf(null)))).toEqual([])
    }
  })

  const charge = chargeOf()
  const bounded = chargeOf({ mostMicros: 99n })
  test.for<[string, Charged, string]>([
    ['a rate', withLine(charge, 0, { rate: '7000000' }), '"input": 200 at "7000000" for 2400, where it has to be'],
    ['a count', withLine(charge, 0, { count: 201 }), 'line 1 of the charge is "input": 201'],
    ['the count of a part', withLine(charge, 4, { count: 16 }), 'line 4 of the charge is "output": 25'],
    ['a cached count', withLine(charge, 1, { count: 31 }), 'tokensCached is 30, where the lines have 31'],
    [
      'an amount',
      withLine(charge, 3, { amountMicros: '1' }),
      'line 4 of the charge is "output": 25 at "22500000" for 1,',
    ],
    ['a kind', withLine(charge, 6, { kind: 'character' }), 'the price has no rate for "character"'],
    [
      'the order of units',
      withLines(charge, (lines) => [...lines.slice(0, 5), ...lines.slice(5, 7).reverse(), ...lines.slice(7)]),
      'line 6 of the charge is "search": 2',
    ],
    [
      'a line too many',
      withLines(charge, (lines) => [...lines, { kind: 'call', count: 1, rate: '7000000', amountMicros: '7' }]),
      'line 9 of the charge is "call": 1 at "7000000" for 7, where it has to be missing',
    ],
    ['a missing line', withLines(charge, (lines) => lines.slice(0, -1)), 'line 8 of the charge is missing'],
    ['a further field', withLine(charge, 0, { discount: 1 }), 'line 1 of the charge is one with a field "discount"'],
    ['the amount', withData(charge, { amountMicros: '1' }), 'the charge is "1", where its lines add up to'],
    ['the tokens', withData(charge, { tokensIn: 260 }), 'line 1 of the charge is "input": 200 at "6000000"'],
    [
      'tokens below the threshold',
      withData(charge, { tokensIn: 200 }),
      'at "6000000" for 2400, where it has to be "input": 150 at "3000000"',
    ],
    ['too few tokens', withData(charge, { tokensOut: 14 }), 'more parts of the output than its 14 tokens'],
    ['the tier', withData(charge, { serviceTier: 'flex' }), 'the tier factor is 2000000, where the price has 500000'],
    [
      'the tier factor',
      withData(charge, { tierFactor: '3000000' }),
      'the tier factor is 3000000, where the price has 2000000',
    ],
    ['a lower factor', withData(charge, { tierFactor: '1000000' }), 'line 1 of the charge is "input": 200'],
    [
      'what was taken off',
      withLine(bounded, 8, { amountMicros: '-1' }),
      'line 9 of the charge is "beyondBound": 0 at "0" for -1',
    ],
    ['something else taken off', withLine(bounded, 8, { kind: 'rebate' }), 'the price has no rate for "rebate"'],
    ['no number', withLine(charge, 0, { count: '200' }), '"200" is not a number of tokens or units'],
    ['no lines at all', withData(charge, { lines: null }), 'the charge has a tier factor, "2000000", and no lines'],
    [
      'neither lines nor factor',
      withData(charge, { lines: null, tierFactor: null }),
      'is not what its tokens cost at the recorded rates: "',
    ],
    ['no list', withData(charge, { lines: 'none' }), 'the charge cannot be computed'],
  ])('are refused with %s changed', async ([, forged, reason]) => {
    const faults = await faultsOf(await receiptOf(forged, bookOf(null)))
    expect(faults).toEqual([expect.stringMatching(/^amount: /)])
    expect(faults[0]).toContain(reason)
  })
})

describe('the rates of a charge', () => {
  const charge = chargeOf()

  test('are those of a book of all companies, or of the company', async () => {
    for (const owner of [null, COMPANY]) {
      const { checks } = await check(JSON.stringify(await receiptOf(charge, bookOf(owner))), { vkeys: [KEY.vkey] })
      expect(checks.map(({ name, ok }) => [name, ok])).toEqual(
        ['amount', 'price', 'book', 'inclusion', 'signature'].map((name) => [name, true]),
      )
      expect(checks[1]?.detail).toContain(`${ALIAS} in price book ${BOOK}, in force from 2026-02-01T00:00:00.000Z`)
    }
  })

  const rates = (changes: object) => ({ prices: { [ALIAS]: { ...PRICE, ...changes } } })
  const cheaper = { ...PRICE.rates, reasoning: '19000000' }
  test.for<[string, LedgerEvent, string]>([
    [
      'a rate that the charge lacks',
      bookOf(null, rates({ rates: { ...PRICE.rates, audioInput: '1' } })),
      'rates audioInput is missing in the charge, and "1" in the price book',
    ],
    [
      'another rate',
      bookOf(null, rates({ rates: cheaper })),
      'rates reasoning is "20000000" in the charge, and "19000000" in the price book',
    ],
    [
      'another threshold',
      bookOf(null, rates({ inputTiers: [{ ...PRICE.inputTiers[0], tokens: 300 }] })),
      'inputTiers 0 tokens is 200 in the charge, and 300',
    ],
    ['no tiers', bookOf(null, rates({ inputTiers: [] })), 'inputTiers 0 is {"tokens":200'],
    [
      'another factor',
      bookOf(null, rates({ tierFactors: { ...PRICE.tierFactors, flex: '1' } })),
      'tierFactors flex is "500000" in the charge, and "1"',
    ],
    [
      'another price of a unit',
      bookOf(null, rates({ unitRates: { search: '1' } })),
      'unitRates search is "10000000000" in the charge',
    ],
    [
      'another fee',
      bookOf(null, rates({ callMicros: '8' })),
      'callMicros is "7" in the charge, and "8" in the price book',
    ],
    ['no price of the alias', bookOf(null, { prices: { 'svc/chat-cheap': PRICE } }), `has no price for "${ALIAS}"`],
    [
      'a later start',
      bookOf(null, { effectiveFrom: '2026-03-01T10:00:29.001Z' }),
      'is in force from 2026-03-01T10:00:29.001Z, and the call was admitted at 2026-03-01T10:00:29.000Z',
    ],
    [
      'another id',
      bookOf(null, { bookId: OTHER_BOOK }),
      `the charge is priced by book "${BOOK}", and the receipt has book "${OTHER_BOOK}"`,
    ],
    ['another company', bookOf(OTHER), `has the prices of ledger-${OTHER}, and the charge is on ledger-${COMPANY}`],
    [
      'prices of another company than its ledger',
      bookOf(OTHER, { companyId: COMPANY }),
      `on ledger-${COMPANY} has the prices of ledger-${OTHER}`,
    ],
    [
      'prices of all companies on the ledger of one',
      bookOf(null, { companyId: COMPANY }),
      `on ledger-${COMPANY} has the prices of ledger-${COMMON_LEDGER_ID}`,
    ],
    ['the event of something else', granted(COMPANY), 'has no price book, but an event of the type CreditsGranted'],
  ])('are not those of a book with %s', async ([, book, reason]) => {
    const faults = await faultsOf(await receiptOf(charge, book))
    expect(faults).toEqual([expect.stringMatching(/^price: /)])
    expect(faults[0]).toContain(reason)
  })

  test('that start with the call are in force', async () => {
    expect(await faultsOf(await receiptOf(charge, bookOf(null, { effectiveFrom: ADMITTED_AT })))).toEqual([])
  })

  test('of a charge of an earlier version are compared under their new names', async () => {
    const former = {
      inputMicrosPerMillionTokens: '1000000',
      outputMicrosPerMillionTokens: '2000000',
      perCallMicros: '7',
    }
    const { lines: _, serviceTier: __, tierFactor: ___, abandoned: ____, ...data } = charged(COMPANY).data
    const stored = { ...data, amountMicros: '57', price: { bookId: BOOK, ...former } } as unknown as Charged['data']
    const book = (callMicros: string) =>
      bookOf(null, { prices: { [ALIAS]: { rates: { input: '1000000', output: '2000000' }, callMicros } } })
    const faults = (callMicros: string) =>
      receiptOf({ type: 'CallCharged', data: stored }, book(callMicros)).then(faultsOf)
    expect(await faults('7')).toEqual([])
    expect(await faults('6')).toEqual([expect.stringContaining('callMicros is "7" in the charge, and "6"')])
  })
})

describe('the price book of a receipt', () => {
  const signed = receiptOf(chargeOf(), bookOf(null))

  test('is refused if anything of it was changed', async () => {
    const receipt = await signed
    const book = receipt.book as NonNullable<typeof receipt.book>
    const changed = (changes: object) => ({ ...receipt, book: { ...book, ...changes } })
    const event = (changes: object) => changed({ event: { ...book.event, ...changes } })
    for (const forged of [
      event({ data: { ...book.event.data, retired: ['svc/chat-old'] } }),
      ...[event({ number: 1 }), event({ time: '2026-01-01T00:00:00.000Z' }), event({ id: OTHER_BOOK })],
      ...[changed({ salt: receipt.salt }), changed({ previous: receipt.salt })],
      ...[changed({ proof: receipt.proof }), changed({ proof: book.proof.replace('index 0', 'index 1') })],
    ]) {
      expect(await faultsOf(forged)).toEqual([
        'book: the price book, as it stands here, is not number ' +
          (forged.book.proof.includes('index 1') ? 1 : 0) +
          ' of the same 2 entries',
      ])
    }
  })

  test('is refused if it is in another checkpoint than the charge', async () => {
    const receipt = await signed
    const { book } = await receiptOf(chargeOf(), bookOf(null))
    expect(await faultsOf({ ...receipt, book })).toEqual(['book: the price book is in another checkpoint'])
  })

  test('may be absent while no checkpoint covers it', async () => {
    const receipt = { ...(await signed), book: null }
    const { checks } = await check(JSON.stringify(receipt), { vkeys: [KEY.vkey] })
    expect(checks.find(({ name }) => name === 'price')).toEqual({
      ...{ name: 'price', ok: true, missing: true },
      detail: `not anchored: no checkpoint covered price book "${BOOK}" when the receipt was made, so request it again to compare the rates`,
    })
  })
})
