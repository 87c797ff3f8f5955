import { expect, test } from 'vitest'
import { INVOICE_STATUSES } from '../../../../contracts/events/invoice.ts'
import { SUBSCRIPTION_STATUSES } from '../../../../contracts/events/subscription.ts'
import { effectWords } from './effectWords.ts'

test.each([
  ['invoice in_1: PAYMENT_FAILED', 'invoice in_1: Payment failed'],
  ['invoice in_1: OPEN, settled as UNCOLLECTIBLE', 'invoice in_1: Open, settled as: Written off'],
  ['invoice in_1: ACTION_REQUIRED', 'invoice in_1: Needs action by the payer'],
  ['subscription sub_1: PAST_DUE', 'subscription sub_1: Past due'],
  ['subscription sub_1: ACTIVE, settled as CANCELED', 'subscription sub_1: Active, settled as: Ended'],
])('%s is shown as %s', (effect, words) => {
  expect(effectWords(effect)).toBe(words)
})

test.each([
  'invoice in_1 is paid',
  'nothing: the session is not one of our purchases',
  'subscription sub_1: A_STATUS_OF_LATER',
  '',
])('an effect without a known status stays as it is: %s', (effect) => {
  expect(effectWords(effect)).toBe(effect)
})

test('every status has a name', () => {
  const effects = [
    ...INVOICE_STATUSES.map((status) => `invoice in_1: ${status}`),
    ...SUBSCRIPTION_STATUSES.map((status) => `subscription sub_1: ${status}`),
  ]
  for (const effect of effects) expect(effectWords(effect)).not.toMatch(/[A-Z]{2}/)
})
