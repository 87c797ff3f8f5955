import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import { EntryOrder, RESTORE_WINDOW_EVENTS } from './entryOrder.ts'
import { TransparencyFault } from './fault.ts'

const event = (metadata: Record<string, unknown> = {}): RecordedEvent =>
  ({ id: randomUUID(), stream: 'ledger-a', metadata }) as unknown as RecordedEvent
const restored = (logIndex?: number) =>
  event({ recordedAt: '2026-01-01T00:00:00.000Z', ...(logIndex === undefined ? {} : { logIndex }) })
const at = (n: number) => String(n).padStart(16, '0') as Position

describe('the order of the log', () => {
  test('is that of the store for events that were not restored', () => {
    const order = new EntryOrder(0)
    const events = [event(), event(), event()]
    expect(events.flatMap((each) => order.add(each, BEGINNING))).toEqual(events)
    expect(order.earliest).toBeNull()
  })

  test('is that of the saved log for restored events, in whatever order a batch was written', () => {
    const shuffled = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 })
    fc.assert(
      fc.property(shuffled, fc.nat(8), (indexes, unsealedAt) => {
        const unsealed = restored()
        const events: RecordedEvent[] = indexes.map(restored)
        events.splice(unsealedAt, 0, unsealed)
        const order = new EntryOrder(0)
        const sealed = events.flatMap((each) => order.add(each, BEGINNING))
        expect(sealed.map(({ metadata }) => metadata.logIndex)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
        expect(order.endOfRestore()).toEqual([unsealed])
      }),
    )
  })

  test('says from where held events can be read again', () => {
    const order = new EntryOrder(0)
    order.add(restored(2), at(10))
    order.add(restored(1), at(20))
    expect(order.earliest).toBe(at(10))
    expect(order.add(restored(0), at(30))).toHaveLength(3)
    expect(order.earliest).toBeNull()
  })

  test('does not wait for the end of a restore without any index', () => {
    const order = new EntryOrder(0)
    const events = Array.from({ length: RESTORE_WINDOW_EVENTS + 10 }, () => restored())
    const sealed = events.flatMap((each) => order.add(each, BEGINNING))
    expect(sealed.length).toBeGreaterThan(0)
    expect([...sealed, ...order.endOfRestore()]).toEqual(events)
  })

  test('has no gap: an event that is missing at the end of a restore, or for too long, is a fault', () => {
    const missing = /^the store has no event for entries 0 to 1 of the log/
    const atEnd = new EntryOrder(0)
    atEnd.add(restored(2), BEGINNING)
    expect(() => atEnd.endOfRestore()).toThrow(missing)
    const since = new EntryOrder(0)
    since.add(restored(2), BEGINNING)
    expect(() => since.add(event(), BEGINNING)).toThrow(missing)
    const long = new EntryOrder(0)
    expect(() => {
      for (let n = 2; n < RESTORE_WINDOW_EVENTS + 10; n++) long.add(restored(n), BEGINNING)
    }).toThrow(missing)
  })

  test('gives no entry to two events', () => {
    const order = new EntryOrder(3)
    expect(() => order.add(restored(2), BEGINNING)).toThrow(TransparencyFault)
    order.add(restored(5), BEGINNING)
    expect(() => order.add(restored(5), BEGINNING)).toThrow(/claims entry 5/)
  })
})
