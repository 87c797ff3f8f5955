import { expect, test } from 'vitest'
import { catchUpWords, readModelsIn } from './catchUp.ts'

const HISTORY = { behind: ['calls', 'usage'], percent: 43.9, secondsLeft: 130 }

test('the read models of a health answer are found, and nothing in an answer of another shape', () => {
  const readModels = { status: 'degraded', behind: ['calls'], lag_events: 9_000, percent: 43.9, seconds_left: 130 }
  expect(readModelsIn({ components: { read_models: readModels } })).toEqual({ ...HISTORY, behind: ['calls'] })
  const early = { ...readModels, seconds_left: null }
  expect(readModelsIn({ components: { read_models: early } })?.secondsLeft).toBeNull()
  for (const health of [null, 'no JSON', {}, { components: {} }]) expect(readModelsIn(health)).toBeNull()
})

test('nothing is said while no read model is far behind', () => {
  expect(catchUpWords({ behind: [], percent: 100, secondsLeft: null })).toBeNull()
})

test('read models of the history that are behind leave balances current', () => {
  expect(catchUpWords(HISTORY)).toBe(
    '43 % of the ledger is read, about 2 minutes left. Until then lists and sums may lack the newest entries.' +
      ' Balances, keys and prices are current.',
  )
})

test('balances are not called current while their own read model is behind', () => {
  expect(catchUpWords({ ...HISTORY, behind: ['calls', 'credit-balances'] })).not.toContain('current')
})

test('an unknown speed gives no time, and a short one less than a minute', () => {
  expect(catchUpWords({ ...HISTORY, secondsLeft: null })).toMatch(/^43 % of the ledger is read\. /)
  expect(catchUpWords({ ...HISTORY, secondsLeft: 3 })).toContain('read, less than a minute left.')
  expect(catchUpWords({ ...HISTORY, secondsLeft: 70 })).toContain('read, about a minute left.')
})
