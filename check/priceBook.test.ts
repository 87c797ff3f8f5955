import { describe, expect, test } from 'vitest'
import { COMMON_LEDGER_ID, type LedgerEvent } from '../contracts/events/ledger.ts'
import { charged, granted } from '../test/support/events/ledgerEvents.ts'
import {
  ADMITTED_AT,
  ALIAS,
  BOOK,
  bookOf,
  type Charged,
  COMPANY,
  chargeOf,
  faultsOf,
  PRICE,
  receiptOf,
} from '../test/support/transparency/pricedReceipts.ts'
import { KEY } from '../test/support/transparency/sampleTransparencyLog.ts'
import { check } from './check.mjs'

const OTHER = '22222222-2222-4222-8222-222222222222'
const OTHER_BOOK = '88888888-8888-4888-8888-888888888888'

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
