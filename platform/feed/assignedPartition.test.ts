import { beforeEach, describe, expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { TopicMessage } from '../../contracts/topics.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { AssignedPartition, CONSUMER_STANDSTILL_MS } from './assignedPartition.ts'
import { BatchQueue } from './batchQueue.ts'
import { PartitionReader } from './partitionReader.ts'
import { PartitionSupply } from './partitionSupply.ts'

const position = (n: number) => String(n).padStart(4, '0') as Position

/** The message of the event with this number, which directly follows the previous event of the partition. */
const message = (n: number): TopicMessage => ({
  position: position(n),
  previous: n === 0 ? BEGINNING : position(n - 1),
  event: { ...anEvent({ n }), position: position(n) } as never,
})

let assigned: AssignedPartition
let clock: ManualClock

beforeEach(() => {
  clock = new ManualClock()
  assigned = new AssignedPartition({ category: 'ledger', number: 0 }, clock)
})

/** A subscriber at the beginning, on a store that contains all numbers so far. */
function serve() {
  const queue = new BatchQueue()
  const storeReads: Position[] = []
  const reader = new PartitionReader('ledger/0', BEGINNING, async (after) => {
    storeReads.push(after)
    const next = after === BEGINNING ? 0 : Number(after) + 1
    return { events: [message(next).event as never], position: position(next) }
  })
  const subscriber = {}
  const options = { queue, start: async () => reader, head: null, pause: async () => {}, onTrouble: () => {} }
  assigned.serve(subscriber, new PartitionSupply(options))
  const takeOne = async () => {
    const batch = await queue.take()
    return batch?.events.map(({ data }) => Number(data.n)) ?? []
  }
  return { subscriber, storeReads, takeOne }
}

const take = (n: number) => assigned.take([message(n)], [message(n)], String(n))
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('the messages of a partition', () => {
  test('go to every subscriber, and the next ones follow when all have taken them', async () => {
    const [first, second] = [serve(), serve()]
    let isOver = false
    const taking = take(0).then(() => {
      isOver = true
    })
    expect(await first.takeOne()).toEqual([0])
    await settled()
    expect(isOver).toBe(false)
    expect(assigned.nextHint()).toBeNull()
    expect(await second.takeOne()).toEqual([0])
    await taking
    expect(assigned.nextHint()).toBe('1')
  })

  test('wait for a stalled subscriber for a limited time; it reads the rest from the store', async () => {
    const [quick, slow] = [serve(), serve()]
    const taking = take(0)
    expect(await quick.takeOne()).toEqual([0])
    await clock.advance(CONSUMER_STANDSTILL_MS)
    await taking
    for (const n of [1, 2]) {
      const next = take(n)
      expect(await quick.takeOne()).toEqual([n])
      await next
    }
    expect(quick.storeReads).toEqual([])
    expect(await slow.takeOne()).toEqual([0])
    expect(await slow.takeOne()).toEqual([1])
    expect(slow.storeReads).toEqual([position(0)])
    expect(await slow.takeOne()).toEqual([2])
    const together = take(3)
    expect([await quick.takeOne(), await slow.takeOne()]).toEqual([[3], [3]])
    await together
    expect(slow.storeReads).toEqual([position(0)])
  })

  test('wait for the only subscriber, however long it takes', async () => {
    const only = serve()
    let isOver = false
    const taking = take(0).then(() => {
      isOver = true
    })
    await clock.advance(CONSUMER_STANDSTILL_MS)
    expect(isOver).toBe(false)
    expect(await only.takeOne()).toEqual([0])
    await taking
  })

  test('that a later subscriber missed are read from the store up to the newest', async () => {
    const first = serve()
    for (const n of [0, 1, 2]) {
      const taking = take(n)
      await first.takeOne()
      await taking
    }
    const later = serve()
    expect([await later.takeOne(), await later.takeOne(), await later.takeOne()]).toEqual([[0], [1], [2]])
    expect(later.storeReads).toEqual([BEGINNING, position(0)])
  })

  test('do not wait for a dismissed subscriber', async () => {
    const [first, second] = [serve(), serve()]
    const taking = take(0)
    await first.takeOne()
    assigned.dismiss(second.subscriber)
    await taking
    expect(assigned.isRevoked).toBe(false)
  })

  test('do not count as taken once the partition is revoked', async () => {
    const only = serve()
    const taking = take(0)
    assigned.revoke()
    await taking
    expect(assigned.isRevoked).toBe(true)
    expect(assigned.nextHint()).toBeNull()
    expect(only.storeReads).toEqual([])
  })
})
