import { describe, test } from 'vitest'
import type { PricingEvent } from '../../contracts/events/pricing.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { AMOUNT_MICROS_MAX } from '../credits.ts'
import { ALIASES_PER_BOOK_MAX, type PricingCommand, pricingDecider } from './decider.ts'

const given = specificationOf(pricingDecider)

const bookId = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'
const at = '2026-03-01T10:00:00.000Z'
const priceOf = (input: string, output = '2000000') => ({ rates: { input, output } })
const other = 'cccccccc-cccc-4ccc-8ccc-cccccccccccc'
const earlier = '2026-02-01T10:00:00.000Z'
const afterLead = '2026-03-01T10:00:05.000Z'
const publish = (changes: Partial<PricingCommand> = {}): PricingCommand => ({
  type: 'PublishPriceBook',
  bookId,
  companyId: null,
  effectiveFrom: null,
  prices: { 'svc/chat-default': priceOf('1000000') },
  retired: [],
  at,
  ...changes,
})
const published = (effectiveFrom = at, changes: Partial<PricingEvent['data']> = {}): PricingEvent => ({
  type: 'PriceBookPublished',
  data: {
    ...{ bookId, companyId: null, effectiveFrom, prices: { 'svc/chat-default': priceOf('1000000') } },
    ...{ retired: [], replacesAll: false, publishedAt: at },
    ...changes,
  },
})

describe('publishing a price book', () => {
  test('takes effect at once for aliases that had no price, unless another time is given', () => {
    given().when(publish()).then(published())
    given()
      .when(publish({ effectiveFrom: at }))
      .then(published())
    given(published(at, { bookId: other, prices: { 'svc/chat-cheap': priceOf('1') } }))
      .when(publish())
      .then(published())
  })

  test('changes a price after the lead time, by which all gateways know it', () => {
    const before = published(at, { bookId: other })
    given(before).when(publish()).then(published(afterLead))
    for (const effectiveFrom of [at, '2026-03-01T10:00:04.999Z']) {
      given(before).when(publish({ effectiveFrom })).then(published(afterLead))
    }
    const later = '2026-03-01T10:00:05.001Z'
    given(before)
      .when(publish({ effectiveFrom: later }))
      .then(published(later))
    const retired = ['svc/chat-default']
    given(before)
      .when(publish({ prices: {}, retired }))
      .then(published(afterLead, { prices: {}, retired }))
    const prices = { 'svc/chat-default': priceOf('2'), 'svc/chat-cheap': priceOf('3') }
    given(before).when(publish({ prices })).then(published(afterLead, { prices }))
  })

  test('has the lead time if another book gives the alias a price before it begins', () => {
    const scheduled = published('2026-03-01T10:00:01.000Z', { bookId: other, publishedAt: earlier })
    given(scheduled)
      .when(publish({ effectiveFrom: '2026-03-01T10:00:02.000Z' }))
      .then(published(afterLead))
  })

  test('takes effect at once for an alias whose price was retired before', () => {
    const retired = ['svc/chat-default']
    given(published(earlier, { bookId: other }), published(at, { bookId: other, prices: {}, retired }))
      .when(publish())
      .then(published())
  })

  test('for a company has the lead time, because the common price may apply until then', () => {
    const companyId = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb'
    given().when(publish({ companyId })).then(published(afterLead, { companyId }))
  })

  test('may take effect later', () => {
    const later = '2026-04-01T00:00:00.000Z'
    given()
      .when(publish({ effectiveFrom: later }))
      .then(published(later))
  })

  test('for the past is refused, so that past charges stay valid', () => {
    given()
      .when(publish({ effectiveFrom: '2026-03-01T09:59:59.999Z' }))
      .thenThrows('INVALID', /past/)
  })

  test('is refused for an existing id', () => {
    given(published()).when(publish()).thenThrows('CONFLICT')
  })

  test('may retire aliases with or without new prices, for all companies or for one', () => {
    const companyId = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb'
    const retired = ['svc/chat-cheap']
    given().when(publish({ retired, companyId })).then(published(afterLead, { retired, companyId }))
    given()
      .when(publish({ retired, prices: {} }))
      .then(published(at, { retired, prices: {} }))
  })

  test('is refused if it names no alias, one twice, or more than an event has room for', () => {
    given()
      .when(publish({ prices: {} }))
      .thenThrows('INVALID', /at least one alias/)
    given()
      .when(publish({ retired: ['svc/chat-default'] }))
      .thenThrows('INVALID', /names svc\/chat-default once/)
    given()
      .when(publish({ retired: ['svc/chat-cheap', 'svc/chat-cheap'] }))
      .thenThrows('INVALID', /names svc\/chat-cheap once/)
    given()
      .when(publish({ retired: Array.from({ length: ALIASES_PER_BOOK_MAX }, (_, n) => `svc/${n}`) }))
      .thenThrows('INVALID', /at most 500 aliases, not 501/)
  })

  test('is refused for a name that cannot be an alias', () => {
    given()
      .when(publish({ prices: { 'svc/chat-default': priceOf('1'), 'GPT 5': priceOf('1') } }))
      .thenThrows('INVALID', /"GPT 5" is not a model alias/)
  })

  test('may price any alias, even one that has no provider yet', () => {
    const prices = { 'acme/fast:v1.2': priceOf('1'), constructor: priceOf('2') }
    given().when(publish({ prices })).then(published(at, { prices }))
  })

  test.each(['0', '1', AMOUNT_MICROS_MAX.toString()])('accepts the rate %s', (rate) => {
    const prices = { 'svc/chat-cheap': priceOf(rate, rate) }
    given().when(publish({ prices })).then(published(at, { prices }))
  })

  test.each(['', '-1', '1.5', '007', '1e3', 'abc', (AMOUNT_MICROS_MAX + 1n).toString(), '9'.repeat(1_000)])(
    'is refused for the rate %j',
    (rate) => {
      given()
        .when(publish({ prices: { 'svc/chat-cheap': priceOf(rate) } }))
        .thenThrows('INVALID', /input of svc\/chat-cheap/)
      given()
        .when(publish({ prices: { 'svc/chat-cheap': priceOf('1', rate) } }))
        .thenThrows('INVALID', /output of svc\/chat-cheap/)
      given()
        .when(publish({ prices: { 'svc/chat-cheap': { ...priceOf('1'), callMicros: rate } } }))
        .thenThrows('INVALID', /call of svc\/chat-cheap/)
    },
  )
})
