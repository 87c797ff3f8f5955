import { expect, test } from 'vitest'
import { budgetOf, candidates, isUsedUp, limitFaults, limitsDraftOf, limitsIn, limitWords } from './projectWords.ts'

const BUDGET = { credits: 5, period: 'MONTH' } as const

test('a project shows its budget with what is spent of it, and without if that is not listed', () => {
  const listed = { level: 'PROJECT', targetId: 'a', label: null, ...BUDGET, spent: 2 } as const
  const ofLabel = { ...listed, level: 'LABEL', targetId: null, label: 'a', spent: 3 } as const
  expect(budgetOf({ id: 'a', budget: BUDGET }, [ofLabel, listed])).toEqual(listed)
  expect(budgetOf({ id: 'b', budget: BUDGET }, [listed])).toEqual(BUDGET)
  expect(budgetOf({ id: 'b', budget: null }, [listed])).toBeNull()
})

test('a budget is used up once everything is spent, and not while its spend is unknown', () => {
  expect(
    [
      { ...BUDGET, spent: 5 },
      { ...BUDGET, spent: 6 },
    ].map(isUsedUp),
  ).toEqual([true, true])
  expect([null, BUDGET, { ...BUDGET, spent: 4.999999 }].map(isUsedUp)).toEqual([false, false, false])
})

test('members are chosen from people by their address, and those who left the company can be taken out', () => {
  const people = [
    { id: '2', email: 'b@x.example' },
    { id: '1', email: 'a@x.example' },
  ]
  expect(candidates(people, ['1', '0123456789']).map(({ email }) => email)).toEqual([
    ...['a@x.example', 'b@x.example', 'a former member (01234567)'],
  ])
})

test('limits are read as they were written, and an empty field is no limit', () => {
  const limits = { rpm: 600, tpm: null, callsInFlight: 4 }
  expect(limitsIn(limitsDraftOf(limits))).toEqual(limits)
  expect(limitWords(limits)).toEqual(['600 req/min', '4 in flight'])
  expect(Object.keys(limitFaults({ rpm: '0', tpm: '', callsInFlight: '1.5' }))).toEqual(['rpm', 'callsInFlight'])
})
