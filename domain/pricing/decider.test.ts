import { describe, test } from 'vitest'
import type { PricingEvent } from '../../contracts/events/pricing.ts'
import { specificationOf } from '../../test/support/deciderSpecification.ts'
import { AMOUNT_MICROS_MAX } from '../credits.ts'
import { type PricingCommand, pricingDecider } from './decider.ts'

const given = specificationOf(pricingDecider)

const bookId = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'
const at = '2026-03-01T10:00:00.000Z'
const rates = (input: string, output = '2000000') => ({
  inputMicrosPerMillionTokens: input,
  outputMicrosPerMillionTokens: output,
})
const publish = (changes: Partial<PricingCommand> = {}): PricingCommand => ({
  type: 'PublishPriceBook',
  bookId,
  effectiveFrom: null,
  prices: { 'svc/chat-default': rates('1000000') },
  at,
  ...changes,
})
const published = (effectiveFrom = at): PricingEvent => ({
  type: 'PriceBookPublished',
  data: { bookId, effectiveFrom, prices: { 'svc/chat-default': rates('1000000') }, publishedAt: at },
})

describe('publishing a price book', () => {
  test('takes effect at once unless another time is given', () => {
    given().when(publish()).then(published())
    given()
      .when(publish({ effectiveFrom: at }))
      .then(published())
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

  test('is refused for an id that is taken', () => {
    given(published()).when(publish()).thenThrows('CONFLICT')
  })

  test('may leave aliases out, but not all of them', () => {
    given()
      .when(publish({ prices: {} }))
      .thenThrows('INVALID', /at least one alias/)
  })

  test('is refused for a name that cannot be an alias', () => {
    given()
      .when(publish({ prices: { 'svc/chat-default': rates('1'), 'GPT 5': rates('1') } }))
      .thenThrows('INVALID', /"GPT 5" is not a model alias/)
  })

  test('may price any alias, also one that has no provider yet', () => {
    const prices = { 'acme/fast:v1.2': rates('1'), constructor: rates('2') }
    given()
      .when(publish({ prices }))
      .then({ type: 'PriceBookPublished', data: { bookId, effectiveFrom: at, prices, publishedAt: at } })
  })

  test.each(['0', '1', AMOUNT_MICROS_MAX.toString()])('accepts the rate %s', (rate) => {
    const prices = { 'svc/chat-cheap': rates(rate, rate) }
    given()
      .when(publish({ prices }))
      .then({ type: 'PriceBookPublished', data: { bookId, effectiveFrom: at, prices, publishedAt: at } })
  })

  test.each(['', '-1', '1.5', '007', '1e3', 'abc', (AMOUNT_MICROS_MAX + 1n).toString(), '9'.repeat(1_000)])(
    'is refused for the rate %j of input or output',
    (rate) => {
      given()
        .when(publish({ prices: { 'svc/chat-cheap': rates(rate) } }))
        .thenThrows('INVALID', /input of svc\/chat-cheap/)
      given()
        .when(publish({ prices: { 'svc/chat-cheap': rates('1', rate) } }))
        .thenThrows('INVALID', /output of svc\/chat-cheap/)
    },
  )
})
