import { expect, test } from 'vitest'
import type { GuessedPair } from './guesses.ts'
import { PairQueue } from './pairQueue.ts'

const pair = (job: string, talent: string, guess = 0) =>
  ({ job: { id: job }, talent: { id: talent }, guess }) as unknown as GuessedPair
const taken = (queue: PairQueue) => {
  const names: string[] = []
  for (let one = queue.take(); one; one = queue.take()) names.push(`${one.job.id}${one.talent.id}`)
  return names
}

test('the best guess is taken first', () => {
  const queue = new PairQueue()
  queue.fill([pair('j', 'low', 1), pair('j', 'high', 2)])
  expect(taken(queue)).toEqual(['jhigh', 'jlow'])
})

test('what was tried in vain waits, longer each time, and is no second time in the queue', () => {
  const queue = new PairQueue()
  queue.fill([pair('j', 'a')])
  const one = queue.take() as GuessedPair
  queue.defer(one)
  queue.settle({ nowMs: 0, cooldownMs: 0, hadSuccess: false })
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
    queue.settle({ nowMs: 0, cooldownMs: 0, hadSuccess: false })
    expect(queue.retryAtMs, `round ${round}`).toBe(waits)
    queue.retryDue(waits)
    taken(queue)
  }
  queue.defer(one)
  queue.settle({ nowMs: 0, cooldownMs: 0, hadSuccess: true })
  expect(queue.retryAtMs).toBe(1_000)
})

test('while a breaker rests nobody is asked: the pairs wait for its end', () => {
  const queue = new PairQueue()
  queue.defer(pair('j', 'a'))
  queue.settle({ nowMs: 100, cooldownMs: 42_000, hadSuccess: false })
  expect(queue.retryAtMs).toBe(42_100)
})

test('what has changed is forgotten, wherever it waits', () => {
  const queue = new PairQueue()
  queue.defer(pair('changed', 'a'))
  queue.fill([pair('j', 'changed'), pair('j', 'a')])
  queue.forget({ jobs: new Set(['changed']), talents: new Set(['changed']) })
  expect(queue.size).toBe(1)
  expect(taken(queue)).toEqual(['ja'])
})
