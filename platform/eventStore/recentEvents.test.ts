import { describe, expect, test } from 'vitest'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { positionOf as commitPosition } from './eventStoreDb/commitPosition.ts'
import { positionOf as consecutive } from './postgres/positionNumber.ts'
import {
  RECENT_EVENTS_BYTES_MAX,
  RECENT_EVENTS_MAX,
  RECENT_EVENTS_MIN,
  RecentEvents,
  type TailReader,
} from './recentEvents.ts'

const A_SLOW_READER: ReadonlySet<TailReader> = new Set([{ position: BEGINNING }])

const KINDS: [string, (n: number) => Position][] = [
  ['consecutive positions', consecutive],
  ['commit positions with gaps', (n) => commitPosition(BigInt(n * 137 + (n % 3)))],
]

describe.each(KINDS)('recent events with %s', (_, at) => {
  const event = (n: number): RecordedEvent => ({
    ...anEvent({ n }),
    stream: 'test-1',
    revision: n,
    position: at(n),
    recordedAt: '2026-01-01T00:00:00.000Z',
  })
  const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => event(from + i))
  const numbers = (recent: RecentEvents, after: Position, limit = 100) =>
    recent.after(after, limit)?.events.map(({ data }) => data.n)

  test('are those after any position that memory reaches, up to a limit', () => {
    const recent = new RecentEvents(at(10), A_SLOW_READER)
    recent.add(events(11, 20), at(20), 1)
    recent.add(events(21, 30), at(30), 1)
    expect(numbers(recent, at(10), 3)).toEqual([11, 12, 13])
    expect(recent.after(at(10), 3)?.position).toBe(at(13))
    expect(numbers(recent, at(28))).toEqual([29, 30])
    expect(recent.after(at(30), 10)).toEqual({ events: [], position: at(30) })
    expect(recent.after(at(9), 10)).toBeNull()
    expect(recent.after(BEGINNING, 10)).toBeNull()
  })

  test('leave a reader that is further ahead where it is', () => {
    const recent = new RecentEvents(at(10), A_SLOW_READER)
    recent.add(events(11, 12), at(12), 1)
    expect(recent.after(at(15), 10)).toEqual({ events: [], position: at(15) })
  })

  test('take a reader past events that are not shown', () => {
    const recent = new RecentEvents(BEGINNING, A_SLOW_READER)
    recent.add([event(1)], at(5), 1)
    recent.add([], at(9), 0)
    expect(recent.after(BEGINNING, 10)).toMatchObject({ position: at(9) })
    expect(recent.after(at(3), 10)).toEqual({ events: [], position: at(9) })
    recent.add([event(10), event(11)], at(12), 1)
    expect(recent.after(at(1), 1)).toMatchObject({ position: at(10) })
    expect(recent.after(at(1), 2)).toMatchObject({ position: at(12) })
  })

  test('are never added twice or in another order', () => {
    const recent = new RecentEvents(BEGINNING, A_SLOW_READER)
    recent.add(events(1, 3), at(3), 1)
    expect(() => recent.add([event(3)], at(3), 1)).toThrow('do not follow')
    expect(() => recent.add([], at(2), 0)).toThrow('do not follow')
    expect(() => recent.add([event(5)], at(4), 1)).toThrow('do not follow')
    expect(numbers(recent, BEGINNING)).toEqual([1, 2, 3])
  })

  test('are forgotten by number, the oldest first', () => {
    const recent = new RecentEvents(BEGINNING, A_SLOW_READER)
    for (let n = 0; n < 2 * RECENT_EVENTS_MAX; n += 1_000) recent.add(events(n + 1, n + 1_000), at(n + 1_000), 1)
    expect(numbers(recent, BEGINNING, 1)).toEqual([1])
    const last = 2 * RECENT_EVENTS_MAX + 1
    recent.add([event(last)], at(last), 1)
    expect(recent.after(BEGINNING, 1)).toBeNull()
    expect(recent.from).toBe(at(last - 4_001))
    expect(numbers(recent, recent.from, RECENT_EVENTS_MAX)).toHaveLength(4_001)
  })

  test('are forgotten by size, also if one batch is larger than the limit', () => {
    const recent = new RecentEvents(BEGINNING, A_SLOW_READER)
    for (let n = 1; n <= 7; n++) recent.add([event(n)], at(n), RECENT_EVENTS_BYTES_MAX / 3)
    expect(numbers(recent, recent.from)).toEqual([5, 6, 7])
    recent.add([event(8)], at(8), 3 * RECENT_EVENTS_BYTES_MAX)
    expect(recent.after(at(7), 10)).toBeNull()
    expect(recent.after(at(8), 10)).toEqual({ events: [], position: at(8) })
  })

  test('are forgotten when all readers have them, except for the newest', () => {
    const [fast, slow] = [{ position: at(1) }, { position: BEGINNING }]
    const recent = new RecentEvents(at(1), new Set([fast, slow]))
    let next = 2
    const addUpTo = (last: number) => {
      for (; next <= last; next++) recent.add([event(next)], at(next), 1)
      fast.position = at(last)
    }
    addUpTo(1_000)
    expect(recent.from).toBe(at(1))
    slow.position = at(600)
    addUpTo(1_000 + RECENT_EVENTS_MIN)
    expect(recent.from).toBe(at(600))
    expect(numbers(recent, slow.position, 2)).toEqual([601, 602])
    slow.position = at(1_000 + RECENT_EVENTS_MIN)
    addUpTo(1_000 + 2 * RECENT_EVENTS_MIN)
    expect(recent.from > at(1_000)).toBe(true)
    expect(numbers(recent, recent.from)?.length).toBeGreaterThanOrEqual(RECENT_EVENTS_MIN)
  })

  test('without a reader are only the newest', () => {
    const recent = new RecentEvents(BEGINNING, new Set())
    for (let n = 1; n <= 10 * RECENT_EVENTS_MIN; n++) recent.add([event(n)], at(n), 1)
    const kept = numbers(recent, recent.from, RECENT_EVENTS_MAX)?.length
    expect(kept).toBeGreaterThanOrEqual(RECENT_EVENTS_MIN)
    expect(kept).toBeLessThanOrEqual(2 * RECENT_EVENTS_MIN)
  })

  test('wake their readers, and an aborted one does not wait', async () => {
    const recent = new RecentEvents(at(1), A_SLOW_READER)
    const end = new AbortController()
    const [woken, aborted] = [recent.more(at(1), new AbortController().signal), recent.more(at(1), end.signal)]
    end.abort()
    await aborted
    recent.add([event(2)], at(2), 1)
    recent.wake()
    await woken
    await recent.more(at(1), new AbortController().signal)
    await recent.more(at(2), end.signal)
  })
})
