import { expect, test } from 'vitest'
import { summaryOf, titleOf } from './trailWords.ts'

test.each([
  ['ApiKeyMinted', 'API key minted'],
  ['CreditsGranted', 'Credits granted'],
  ['SignedOutEverywhere', 'Signed out everywhere'],
])('the title of %s is "%s"', (type, title) => {
  expect(titleOf(type)).toBe(title)
})

test.each([
  ['ApiKeyRevoked', {}, 'API key revoked'],
  [
    'CreditsGranted',
    { source: 'PACK_PURCHASE', amountMicros: '1000000000', reason: 'purchase 1' },
    'Credits granted: source PACK_PURCHASE, 1000 credits, reason purchase 1',
  ],
  [
    'PurchaseCompleted',
    { paidMinor: '1050', currency: 'usd', creditsMicros: '500000' },
    'Purchase completed: paid 10.5 usd, 0.5 credits',
  ],
  ['PurchaseStarted', { price: '10', currency: 'jpy' }, 'Purchase started: price 10 jpy'],
  ['ApiKeyUpdated', { scopes: ['a', 'b'], models: null }, 'API key updated: scopes a b'],
  ['HardCapChanged', { hardCap: false }, 'Hard cap changed: hard cap false'],
])('the summary of %s with %j reads well', (type, facts, summary) => {
  expect(summaryOf(type, facts)).toBe(summary)
})
