import { describe, expect, test } from 'vitest'
import { CATEGORIES, streamName } from './streams.ts'
import { PARTITION_COUNTS, partitionName, topicName, topicPartitionOf, topicPartitionsOf } from './topics.ts'

describe('the partition of a stream', () => {
  // Fixed values, because partitions must never change: stored checkpoints depend on them.
  test.each([
    ['ledger-11111111-1111-4111-8111-111111111111', 'ledger/1'],
    ['ledger-33333333-3333-4333-8333-333333333333', 'ledger/3'],
    ['ledger-a', 'ledger/2'],
    ['ledger-b', 'ledger/0'],
    ['ledger-Zürich 東京 🚀', 'ledger/3'],
    ['apiKey-1', 'apiKey/1'],
    ['pricing-book', 'pricing/0'],
  ])('of %s is always %s', (stream, expected) => {
    const place = topicPartitionOf(stream)
    expect(place && partitionName(place)).toBe(expected)
  })

  test('spreads streams evenly, whether numbered or random', () => {
    for (const idOf of [(n: number) => String(n), (n: number) => `c${n * 4}`, () => crypto.randomUUID()]) {
      const counts = Array.from({ length: PARTITION_COUNTS.ledger }, () => 0)
      for (let n = 0; n < 8_000; n++) {
        const number = topicPartitionOf(streamName('ledger', idOf(n)))?.number ?? -1
        counts[number] = (counts[number] ?? 0) + 1
      }
      for (const count of counts) expect(Math.abs(count - 2_000)).toBeLessThan(250)
    }
  })

  test('is null for an unknown category', () => {
    expect(topicPartitionOf('comet-1')).toBeNull()
  })
})

test('every category has its own topic, with its partitions by name', () => {
  expect(new Set(CATEGORIES.map((category) => topicName('a1', category))).size).toBe(CATEGORIES.length)
  expect(topicPartitionsOf('ledger').map(partitionName)).toEqual(['ledger/0', 'ledger/1', 'ledger/2', 'ledger/3'])
})
