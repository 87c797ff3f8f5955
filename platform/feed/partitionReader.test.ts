import { describe, expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { TopicMessage } from '../../contracts/topics.ts'
import { PROJECTION_BATCH_EVENTS_MAX } from '../../projections/runner/batchLimits.ts'
import { collect } from '../../test/support/events/events.ts'
import { history } from '../../test/support/events/history.ts'
import { granted } from '../../test/support/events/ledgerEvents.ts'
import { PartitionReader, type ReadPage } from './partitionReader.ts'

const at = (number: number) => (number === 0 ? BEGINNING : (String(number).padStart(16, '0') as Position))
const company = '11111111-1111-4111-8111-111111111111'
/** The event at each position of a store that has only this partition. */
const stored = history(`ledger-${company}`, ...Array.from({ length: 20 }, () => granted(company)))
const eventAt = (number: number) => stored[number - 1] ?? null

const event = (number: number, previous = number - 1): TopicMessage => ({
  position: at(number),
  previous: at(previous),
  event: eventAt(number),
})
const watermark = (number: number, previous: number): TopicMessage => ({
  position: at(number),
  previous: at(previous),
  event: null,
})

/** A reader at a position, which records the reads from the store. */
function readerAt(number: number, pageEvents = 3) {
  const storeReads: Position[] = []
  const readPage: ReadPage = async (after) => {
    storeReads.push(after)
    const events = stored.filter(({ position }) => position > after).slice(0, pageEvents)
    return { events, position: events.at(-1)?.position ?? after }
  }
  return { reader: new PartitionReader('ledger/0', at(number), readPage), storeReads }
}

async function read(number: number, messages: TopicMessage[]) {
  const { reader, storeReads } = readerAt(number)
  const batches = await collect(reader.read(messages))
  const positions = batches.flatMap(({ events }) => events.map(({ position }) => Number(position)))
  return { positions, batches, storeReads, reached: reader.reached }
}

describe('a reader of a partition', () => {
  test('makes one batch of consecutive messages without reading from the store', async () => {
    const { batches, storeReads, reached } = await read(0, [event(1), event(2), event(3)])
    expect(batches).toEqual([{ partition: 'ledger/0', after: BEGINNING, events: stored.slice(0, 3), position: at(3) }])
    expect(storeReads).toEqual([])
    expect(reached).toBe(at(3))
  })

  test('drops repeated messages', async () => {
    const messages = [event(1), event(2), event(1), event(2), event(3), event(3), event(2)]
    expect((await read(1, messages)).positions).toEqual([2, 3])
  })

  test('takes a message whose predecessor is before its position', async () => {
    const { positions, storeReads } = await read(4, [event(6, 2)])
    expect(positions).toEqual([6])
    expect(storeReads).toEqual([])
  })

  test('reads a gap from the store before the message after it, and yields that message once', async () => {
    const { positions, storeReads, batches } = await read(1, [event(2), event(8, 7), event(9)])
    expect(positions).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
    expect(storeReads).toEqual([at(2), at(5)])
    expect(batches.map(({ after }) => after)).toEqual([at(1), ...batches.slice(0, -1).map(({ position }) => position)])
  })

  test('reads a gap before a watermark, too', async () => {
    expect((await read(0, [watermark(6, 5)])).positions).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('learns of a gap from a heartbeat, which covers no positions itself', async () => {
    expect((await read(0, [watermark(5, 5)])).positions).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('advances with a watermark, and never goes back with an old one', async () => {
    const { batches, reached } = await read(3, [watermark(9, 3), watermark(7, 2)])
    expect(batches).toEqual([{ partition: 'ledger/0', after: at(3), events: [], position: at(9) }])
    expect(reached).toBe(at(9))
  })

  test('yields nothing if all messages are old', async () => {
    expect((await read(9, [event(3), watermark(9, 3)])).batches).toEqual([])
  })

  test('limits a batch to the events that a projection takes at once', async () => {
    const { reader } = readerAt(0)
    const [one] = stored
    const many = Array.from({ length: PROJECTION_BATCH_EVENTS_MAX + 1 }, (_, n) => ({
      ...watermark(n + 1, n),
      event: one ?? null,
    }))
    const batches = await collect(reader.read(many))
    expect(batches.map(({ events }) => events.length)).toEqual([PROJECTION_BATCH_EVENTS_MAX, 1])
  })

  test('stops before a gap that the store cannot fill, and accepts the same messages again', async () => {
    const { reader } = readerAt(18)
    const messages = [event(19), { ...event(30, 29), event: eventAt(1) }]
    const given: number[] = []
    const reading = async () => {
      for await (const { events } of reader.read(messages))
        given.push(...events.map(({ position }) => Number(position)))
    }
    await expect(reading()).rejects.toThrow(/the event store ends at 0*20, but 0*29 was published/)
    await expect(reading()).rejects.toThrow()
    expect(given).toEqual([19, 20])
  })
})
