import { expect, test } from 'vitest'
import { catchUpWords, readModelsIn, stoppedWords } from './catchUp.ts'

const HISTORY = { behind: ['calls', 'usage'], percent: 43.9, secondsLeft: 130 }

test('read models are parsed from a health answer; other shapes give null', () => {
  const readModels = { status: 'degraded', behind: ['calls'], lag_events: 9_000, percent: 43.9, seconds_left: 130 }
  expect(readModelsIn({ components: { read_models: readModels } })).toEqual({
    ...HISTORY,
    behind: ['calls'],
    stopped: [],
  })
  const early = { ...readModels, seconds_left: null }
  expect(readModelsIn({ components: { read_models: early } })?.secondsLeft).toBeNull()
  for (const health of [null, 'no JSON', {}, { components: {} }]) expect(readModelsIn(health)).toBeNull()
})

test('read models that have stopped or need a rebuild are named', () => {
  const readModels = { behind: [], needs_rebuild: ['users'], stopped: ['credit-balances'], percent: 100 }
  const found = readModelsIn({ components: { read_models: readModels } })
  expect(found?.stopped).toEqual(['users', 'credit-balances'])
  expect(stoppedWords({ stopped: ['users', 'credit-balances'] })).toBe(
    'They lack the newest entries until an operator repairs these read models: users, credit-balances.',
  )
  expect(stoppedWords({ stopped: [] })).toBeNull()
})

test('no notice while no read model is far behind', () => {
  expect(catchUpWords({ behind: [], percent: 100, secondsLeft: null })).toBeNull()
})

test('balances are called current if only history read models are behind', () => {
  expect(catchUpWords(HISTORY)).toBe(
    '43 % of the ledger is read, about 2 minutes left. Until then lists and sums may lack the newest entries.' +
      ' Balances, keys and prices are current.',
  )
})

test('balances are not called current while their own read model is behind', () => {
  expect(catchUpWords({ ...HISTORY, behind: ['calls', 'credit-balances'] })).not.toContain('current')
})

test('an unknown speed gives no time left, and a short rest less than a minute', () => {
  expect(catchUpWords({ ...HISTORY, secondsLeft: null })).toMatch(/^43 % of the ledger is read\. /)
  expect(catchUpWords({ ...HISTORY, secondsLeft: 3 })).toContain('read, less than a minute left.')
  expect(catchUpWords({ ...HISTORY, secondsLeft: 70 })).toContain('read, about a minute left.')
})
