import { expect, test } from 'vitest'
import { NOTICE_TYPES } from '../../../../contracts/noticeTypes.ts'
import { canEnd, hardCapOf, isPayable, MESSAGE_TYPES, noticeWords, plansForSale } from './billingWords.ts'

const changed = (value: string) => [{ facts: [{ name: 'hardCap', value }] }]

test('people who cannot change the low-balance notice see it described', () => {
  expect(noticeWords({ lowBalance: 'DEFAULT', lowBalanceCredits: null })).toBe('by default')
  expect(noticeWords({ lowBalance: 'AMOUNT', lowBalanceCredits: 1_250 })).toBe('below 1,250 credits')
  expect(noticeWords({ lowBalance: 'OFF', lowBalanceCredits: null })).toBe('never')
})

test('the hard cap is read from its last change, or from the registration', () => {
  expect(hardCapOf(changed('true'), changed('false'))).toBe(true)
  expect(hardCapOf([], changed('false'))).toBe(false)
  expect(hardCapOf([], [{ facts: [{ name: 'name', value: 'Acme' }] }])).toBeNull()
})

test('every webhook type can be chosen for an endpoint', () => {
  expect(MESSAGE_TYPES).toEqual(NOTICE_TYPES)
})

test('an invoice can be paid while it is open and has a payment page', () => {
  expect(isPayable({ status: 'OPEN', hostedUrl: 'https://pay.example/1' })).toBe(true)
  expect(isPayable({ status: 'OPEN', hostedUrl: null })).toBe(false)
  expect(isPayable({ status: 'PAID', hostedUrl: 'https://pay.example/1' })).toBe(false)
})

test('only invoices for usage that are neither paid nor void can be ended by hand', () => {
  for (const status of ['OPEN', 'PAYMENT_FAILED', 'ACTION_REQUIRED', 'UNCOLLECTIBLE'] as const) {
    expect(canEnd({ status, month: '2026-01' })).toBe(true)
    expect(canEnd({ status, month: null })).toBe(false)
  }
  for (const status of ['PAID', 'VOID', 'DRAFT'] as const) expect(canEnd({ status, month: '2026-01' })).toBe(false)
})

test('retired, postpaid and unpriced plans are not for sale', () => {
  const plan = {
    ...{ id: 'p', name: 'Pro', active: true, billingMode: 'PREPAID', price: 10, currency: 'EUR' },
    ...{ creditsPerPeriod: 100, rolloverShare: null, needsProviderPricing: false },
  } as const
  const others = [
    { ...plan, active: false },
    { ...plan, billingMode: 'POSTPAID' as const },
    { ...plan, needsProviderPricing: true },
  ]
  expect(plansForSale([plan, ...others])).toEqual([plan])
})
