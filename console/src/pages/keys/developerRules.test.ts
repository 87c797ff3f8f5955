import { expect, test } from 'vitest'
import { faultsOfDeveloper, ruleHint } from './developerRules.ts'
import { NEW_KEY } from './keyForm.ts'

const NO_RULES = { defaultBudget: null, maximumBudget: null, projectRequired: false }
const TEN = { credits: 10, period: 'MONTH' } as const

test('a developer lowers the budget of a key but neither raises, replaces nor removes it', () => {
  const before = { ...NEW_KEY, name: 'k', budget: '5' }
  const isFaulty = (changed: Partial<typeof before>) =>
    'budget' in faultsOfDeveloper({ ...before, ...changed }, before, NO_RULES)
  expect([{}, { budget: '4' }].map(isFaulty)).toEqual([false, false])
  expect([{ budget: '6' }, { budget: '' }, { period: 'DAY' as const }].map(isFaulty)).toEqual([true, true, true])
  expect(faultsOfDeveloper(before, { ...before, budget: '' }, NO_RULES)).toEqual({})
})

test('a new key of a developer needs a budget within the maximum, which the default is', () => {
  const rules = { ...NO_RULES, maximumBudget: TEN }
  const fault = { budget: 'Keys of developers need a budget of at most 10.00 credits per UTC month.' }
  expect(faultsOfDeveloper(NEW_KEY, null, rules)).toEqual(fault)
  expect(faultsOfDeveloper({ ...NEW_KEY, budget: '11' }, null, rules)).toEqual(fault)
  expect(faultsOfDeveloper({ ...NEW_KEY, budget: '10' }, null, rules)).toEqual({})
  expect(faultsOfDeveloper(NEW_KEY, null, { ...rules, defaultBudget: TEN })).toEqual({})
})

test('a change keeps to the maximum, but a budget from before the rules may stay', () => {
  const rules = { ...NO_RULES, maximumBudget: TEN }
  const before = { ...NEW_KEY, budget: '50' }
  expect(faultsOfDeveloper({ ...before, name: 'other' }, before, rules)).toEqual({})
  expect(Object.keys(faultsOfDeveloper({ ...before, budget: '20' }, before, rules))).toEqual(['budget'])
})

test('a developer puts a key into a project but neither moves it nor takes it out', () => {
  const rules = { ...NO_RULES, projectRequired: true }
  expect(Object.keys(faultsOfDeveloper(NEW_KEY, null, rules))).toEqual(['project'])
  expect(faultsOfDeveloper({ ...NEW_KEY, project: 'p' }, NEW_KEY, rules)).toEqual({})
  for (const project of ['', 'q']) {
    const faults = faultsOfDeveloper({ ...NEW_KEY, project }, { ...NEW_KEY, project: 'p' }, rules)
    expect(Object.keys(faults)).toEqual(['project'])
  }
})

test('a developer keeps a fixed label, and lowers the limit of calls in flight only', () => {
  const before = { ...NEW_KEY, label: 'a', labelFixed: true, callsInFlight: '5' }
  const faulty = (changed: object) => Object.keys(faultsOfDeveloper({ ...before, ...changed }, before, NO_RULES))
  expect(faulty({ callsInFlight: '4' })).toEqual([])
  expect(faulty({ callsInFlight: '' })).toEqual(['callsInFlight'])
  expect(faulty({ callsInFlight: '6' })).toEqual(['callsInFlight'])
  expect(faulty({ label: 'b', labelFixed: false })).toEqual(['label', 'labelFixed'])
})

test('the form says which budget a new key gets, and the largest that it may have', () => {
  expect(ruleHint(NO_RULES)).toBeUndefined()
  expect(ruleHint({ ...NO_RULES, defaultBudget: TEN, maximumBudget: { credits: 20, period: 'MONTH' } })).toBe(
    'Without one, the key gets 10.00 credits per UTC month. At most 20.00 credits per UTC month.',
  )
})
