import { expect, test } from 'vitest'
import { ruleFaults, rulesDraftOf, rulesIn } from './keyRules.ts'

const RULES = {
  defaultBudget: { credits: 5, period: 'MONTH' },
  maximumBudget: { credits: 10, period: 'MONTH' },
  projectRequired: true,
} as const

test('rules are read from the form as they were written into it', () => {
  expect(rulesIn(rulesDraftOf(RULES))).toEqual(RULES)
  const none = { defaultBudget: null, maximumBudget: null, projectRequired: false }
  expect(rulesIn(rulesDraftOf(none))).toEqual(none)
})

test('the default budget has to be within the maximum', () => {
  const draft = rulesDraftOf(RULES)
  expect(ruleFaults(draft)).toEqual({})
  expect(ruleFaults({ ...draft, standard: { budget: '11', period: 'MONTH' } })).toHaveProperty('standard')
  expect(ruleFaults({ ...draft, standard: { budget: '1', period: 'DAY' } })).toHaveProperty('standard')
  expect(ruleFaults({ ...draft, maximum: { budget: '', period: 'MONTH' } })).toEqual({})
})

test('an amount that is no number is named before anything is compared', () => {
  expect(Object.keys(ruleFaults({ ...rulesDraftOf(RULES), maximum: { budget: 'x', period: 'DAY' } }))).toEqual([
    'maximum',
  ])
})
