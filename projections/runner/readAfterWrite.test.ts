import { expect, test } from 'vitest'
import { BEGINNING } from '../../contracts/position.ts'
import { hasPassed } from './readAfterWrite.ts'

test('a model that lags is asked less and less often, and given up after two seconds', async () => {
  const pausesMs: number[] = []
  let nowMs = 0
  const clock = {
    now: () => nowMs,
    delay: async (ms: number) => {
      pausesMs.push(ms)
      nowMs += ms
    },
  }
  const sql = { query: async () => [] }
  expect(await hasPassed(sql, 'companies', BEGINNING, clock)).toBe(false)
  expect(pausesMs.slice(0, 6)).toEqual([10, 20, 40, 80, 100, 100])
  expect(nowMs).toBe(2_000)
})
