import { expect, test } from 'vitest'
import { balanceNotice } from './balanceNotice.ts'

const PREPAID = { isPostpaid: false, limitMicros: null }

test('a prepaid company gets a notice if its balance is empty or lasts less than a week', () => {
  expect(balanceNotice(0n, null, PREPAID)).toBe('empty')
  expect(balanceNotice(1n, 6, PREPAID)).toBe('low')
  expect(balanceNotice(1n, 7, PREPAID)).toBeNull()
  expect(balanceNotice(undefined, null, PREPAID)).toBeNull()
})

test('a postpaid company gets a notice only if it has reached its credit limit', () => {
  const postpaid = { isPostpaid: true, limitMicros: 500n }
  expect(balanceNotice(-499n, 0, postpaid)).toBeNull()
  expect(balanceNotice(-500n, 0, postpaid)).toBe('beyond limit')
  expect(balanceNotice(-500n, 0, { ...postpaid, limitMicros: null })).toBeNull()
})
