import { expect, test } from 'vitest'
import { lotState, sourceWords, unusedWords, validWords } from './lotWords.ts'

const [NEXT, LATER] = ['2026-04-01T00:00:00.000Z', '2026-05-01T00:00:00.000Z']

test('a lot expires next if it is one of those with the next expiry and has credits left', () => {
  const lot = { grantedMicros: '9', takenMicros: '0', leftMicros: '5', expiresAt: NEXT, isExpired: false }
  expect(lotState(lot, NEXT)).toBe('next')
  expect(lotState({ ...lot, expiresAt: LATER }, NEXT)).toBe('usable')
  expect(lotState({ ...lot, expiresAt: null }, null)).toBe('usable')
  expect(lotState({ ...lot, leftMicros: '0' }, NEXT)).toBe('used up')
  expect(lotState({ ...lot, leftMicros: '0', isExpired: true }, null)).toBe('expired')
})

test('a lot whose credits were all refunded, disputed or corrected is taken back, however much was spent', () => {
  const lot = { grantedMicros: '9', takenMicros: '9', leftMicros: '0', expiresAt: NEXT, isExpired: false }
  expect(lotState(lot, NEXT)).toBe('taken back')
  expect(lotState({ ...lot, takenMicros: '8', leftMicros: '1' }, NEXT)).toBe('next')
})

test('the lot of grants from before there were lots is named apart from other grants', () => {
  expect(sourceWords({ lotId: 'unlimited', source: 'ADJUSTMENT' })).toBe('Earlier credits')
  expect(sourceWords({ lotId: '1', source: 'ADJUSTMENT' })).toBe('Granted by the operator')
})

test('an offer says how long its credits last', () => {
  expect([null, 1, 90].map(validWords)).toEqual(['Without end', '1 day', '90 days'])
  const shares = [null, 0, 0.25, 1].map(unusedWords)
  expect(shares).toEqual(['Do not expire', 'Expire with the period', '25% roll over', '100% roll over'])
})
