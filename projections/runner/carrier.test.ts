import { expect, test } from 'vitest'
import { carrierOf } from './carrier.ts'

const usage = { name: 'usage', version: 2, categories: ['ledger', 'apiKey'] } as const
const jobs = { name: 'jobs', version: 1, categories: ['job', 'ledger'] } as const

test('a carrier reads the categories of all its subscribers', () => {
  expect(carrierOf('projector', [usage, jobs]).categories.toSorted()).toEqual(['apiKey', 'job', 'ledger'])
})

test('programs with the same subscribers have the same carrier', () => {
  const { name } = carrierOf('projector', [usage, jobs])
  expect(name).toMatch(/^projector-[0-9a-f]{12}$/)
  expect(carrierOf('projector', [jobs, usage]).name).toBe(name)
})

test.each([
  ['of another version', [{ ...usage, version: 3 }, jobs]],
  ['that reads something else', [{ ...usage, categories: ['ledger'] as const }, jobs]],
  ['fewer', [usage]],
])('a subscriber %s leads to another carrier', (_, subscribers) => {
  expect(carrierOf('projector', subscribers).name).not.toBe(carrierOf('projector', [usage, jobs]).name)
})
