import { describe, expect, test } from 'vitest'
import { lastFailure, stateWords, type TopUp, type TopUpAttempt, topUpFaults } from './topUpWords.ts'

const OFF: TopUp = {
  enabled: false,
  offReason: null,
  hasPaymentMethod: false,
  thresholdCredits: null,
  packId: null,
  monthlyCeiling: null,
  currency: null,
  spentThisMonth: 0,
  heldBecause: null,
  attempts: [],
}
const attempt = (status: TopUpAttempt['status'], reason: string | null) => ({
  ...{ id: status, status, credits: 100, price: 10, currency: 'usd', reason },
  ...{ confirmUrl: null, confirmBy: null, startedAt: '2026-03-10T10:00:00.000Z' },
})

test('the state says what has to be done next', () => {
  expect(stateWords(OFF)).toContain('Save this card')
  expect(stateWords({ ...OFF, hasPaymentMethod: true })).toContain('can be switched on')
  expect(stateWords({ ...OFF, hasPaymentMethod: true, offReason: 'DECLINED' })).toContain('Three payments in a row')
  expect(stateWords({ ...OFF, hasPaymentMethod: true, offReason: 'PAYMENT_RETURNED' })).toContain('refunded')
  expect(stateWords({ ...OFF, enabled: true })).toContain('once for each fall')
  expect(stateWords({ ...OFF, enabled: true, heldBecause: 'CEILING' })).toContain('until the next month')
  const asked = { ...OFF, enabled: true, attempts: [attempt('NEEDS_CONFIRMATION', null)] }
  expect(stateWords(asked)).toContain('asks you to confirm')
})

test('only a failure of the newest attempt is shown', () => {
  const declined = attempt('DECLINED', 'Your card was declined.')
  expect(lastFailure({ attempts: [declined] })).toBe('Your card was declined.')
  expect(lastFailure({ attempts: [attempt('SUCCEEDED', null), declined] })).toBeNull()
  expect(lastFailure({ attempts: [] })).toBeNull()
})

describe('settings', () => {
  const packs = [{ id: 'p', name: 'Hundred', credits: 100, price: 10, currency: 'usd' }]
  const good = { threshold: '50.5', packId: 'p', ceiling: '10' }

  test('a threshold, a pack and a ceiling of at least one pack can be sent', () => {
    expect(topUpFaults(good, packs)).toEqual({})
  })

  test.each([
    ['threshold', { threshold: '0' }],
    ['threshold', { threshold: 'many' }],
    ['packId', { packId: 'retired' }],
    ['ceiling', { ceiling: '9.99' }],
    ['ceiling', { ceiling: '' }],
  ] as const)('a wrong %s is named: %j', (field, change) => {
    expect(Object.keys(topUpFaults({ ...good, ...change }, packs))).toContain(field)
  })
})
