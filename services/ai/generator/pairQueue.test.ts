import { expect, test } from 'vitest'
import { PairQueue } from './pairQueue.ts'
import type { RankedPair } from './pairRanking.ts'

const pair = (job: string, talent: string, estimate = 0) =>
  ({ job: { id: job }, talent: { id: talent }, estimate }) as unknown as RankedPair
const taken = (queue: PairQueue) => {
  const names: string[] = []
  for (let one = queue.take(); one; one = queue.take()) names.push(`${one.job.id}${one.talent.id}`)
  return names
}

test('the pair with the best estimate is taken first', () => {
  const queue = new PairQueue()
  queue.fill([pair('j', 'low', 1), pair('j', 'high', 2)])
  expect(taken(queue)).toEqual(['jhigh', 'jlow'])
})

test('a deferred pair waits longer after each failed round, and is never in the queue twice', () => {
  const queue = new PairQueue()
  queue.fill([pair('j', 'a')])
  const one = queue.take() as RankedPair
  queue.defer(one)
  queue.scheduleRetry({ nowMs: 0, cooldownMs: 0, hadSuccess: false })
  expect(queue.retryAtMs).toBe(1_000)
  queue.fill([pair('j', 'a'), pair('j', 'b')])
  expect(queue.size).toBe(2)
  expect(taken(queue)).toEqual(['jb'])
  queue.retryDue(999)
  expect(queue.isDrained).toBe(true)
  queue.retryDue(1_000)
  expect(taken(queue)).toEqual(['ja'])
  expect(queue.retryAtMs).toBeNull()
  for (const [round, waits] of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
    queue.defer(one)
    queue.scheduleRetry({ nowMs: 0, cooldownMs: 0, hadSuccess: false })
    expect(queue.retryAtMs, `round ${round}`).toBe(waits)
    queue.retryDue(waits)
    taken(queue)
  }
  queue.defer(one)
  queue.scheduleRetry({ nowMs: 0, cooldownMs: 0, hadSuccess: true })
  expect(queue.retryAtMs).toBe(1_000)
})

test('deferred pairs wait for the end of a cool-down', () => {
  const queue = new PairQueue()
  queue.defer(pair('j', 'a'))
  queue.scheduleRetry({ nowMs: 100, cooldownMs: 42_000, hadSuccess: false })
  expect(queue.retryAtMs).toBe(42_100)
})

test('pairs of a changed job or talent are dropped, whether ready or deferred', () => {
  const queue = new PairQueue()
  queue.defer(pair('changed', 'a'))
  queue.fill([pair('j', 'changed'), pair('j', 'a')])
  queue.forget({ jobs: new Set(['changed']), talents: new Set(['changed']) })
  expect(queue.size).toBe(1)
  expect(taken(queue)).toEqual(['ja'])
})
