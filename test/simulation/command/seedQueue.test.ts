import { expect, test } from 'vitest'
import { SeedQueue, seedsFrom } from './seedQueue.ts'

const rest = (queue: SeedQueue) => {
  const seeds: number[] = []
  for (let seed = queue.next(); seed !== null; seed = queue.next()) seeds.push(seed)
  return seeds
}

test('seeds are handed out once and in order', () => {
  expect(rest(new SeedQueue(seedsFrom(7, 3)))).toEqual([7, 8, 9])
  expect(rest(new SeedQueue([12, 4]))).toEqual([12, 4])
})

test('after its time no seed is begun, but at least one runs', () => {
  let nowMs = 0
  const queue = new SeedQueue(seedsFrom(1, 100), { untilMs: 10 }, () => nowMs)
  expect(queue.next()).toBe(1)
  nowMs = 9
  expect(queue.next()).toBe(2)
  nowMs = 10
  expect(queue.next()).toBeNull()
  expect(new SeedQueue(seedsFrom(1, 100), { untilMs: 10 }, () => 11).next()).toBe(1)
})

test('a run until the first failure ends with the lowest seed that failed', () => {
  const queue = new SeedQueue(seedsFrom(1, 100), { stopsAtFailure: true })
  expect([queue.next(), queue.next(), queue.next()]).toEqual([1, 2, 3])
  queue.failed(3)
  expect(queue.next()).toBeNull()
  queue.failed(2)
  expect([1, 2, 3].filter((seed) => queue.counts(seed))).toEqual([1, 2])
})

test('a failure does not end a run of all seeds', () => {
  const queue = new SeedQueue(seedsFrom(1, 3))
  expect(queue.next()).toBe(1)
  queue.failed(1)
  expect(rest(queue)).toEqual([2, 3])
  expect(queue.counts(3)).toBe(true)
})
