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
    'Credits granted: source pack purchase, 1,000 credits, reason purchase 1',
  ],
  [
    'PurchaseCompleted',
    { paidMinor: '1050', currency: 'usd', creditsMicros: '500000' },
    'Purchase completed: paid 10.5 usd, 0.5 credits',
  ],
  ['PurchaseStarted', { price: '10', currency: 'jpy' }, 'Purchase started: price 10 jpy'],
  ['PurchaseStarted', { price: '12500.75', currency: 'usd' }, 'Purchase started: price 12,500.75 usd'],
  ['CreditsAdjusted', { amountMicros: '-1234567123456' }, 'Credits adjusted: -1,234,567.123456 credits'],
  [
    'MonthBilled',
    { month: '2026-10', amountMinor: '123456', currency: 'usd' },
    'Month billed: month 2026-10, 1,234.56 usd',
  ],
  ['ApiKeyMinted', { rpm: 600, tpm: 200_000 }, 'API key minted: rpm 600, tpm 200,000'],
  ['ApiKeyUpdated', { scopes: ['a', 'b'], models: null }, 'API key updated: scopes a b'],
  ['HardCapChanged', { hardCap: false }, 'Hard cap changed: hard cap no'],
  ['UserRegistered', { isSuperAdmin: true }, 'User registered: super admin yes'],
  ['GeneratorStarted', { name: 'A_B' }, 'Generator started: name A_B'],
  [
    'UserInvited',
    { role: 'DEVELOPER', expiresAt: '2026-11-24T10:59:02.995Z' },
    'User invited: role developer, expires at 2026-11-24 10:59:02 UTC',
  ],
])('the summary of %s with %j reads well', (type, facts, summary) => {
  expect(summaryOf(type, facts)).toBe(summary)
})
