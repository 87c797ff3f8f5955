import { beforeEach, expect, test } from 'vitest'
import { BEGINNING } from '../../contracts/position.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { followTail, type Tail } from './followTail.ts'
import { positionOf } from './postgres/positionNumber.ts'
import { RecentEvents } from './recentEvents.ts'

let tail: Tail
let recent: RecentEvents
let end: AbortController
beforeEach(() => {
  const readers: Tail['readers'] = new Set()
  recent = new RecentEvents(BEGINNING, readers)
  recent.add(
    [{ ...anEvent({}), stream: 'ledger-a', revision: 0, position: positionOf(1), recordedAt: '' }],
    positionOf(1),
    1,
  )
  tail = {
    readers,
    after: (position, limit) => recent.after(position, limit),
    more: (position, signal) => recent.more(position, signal),
  }
  end = new AbortController()
})

const follow = () =>
  followTail(tail, () => Promise.reject(new Error('the events are in memory')), {
    after: BEGINNING,
    signal: end.signal,
  })[Symbol.asyncIterator]()

test('the tail knows the position of the last batch that a subscriber was given', async () => {
  const subscriber = follow()
  await subscriber.next()
  expect([...tail.readers]).toEqual([{ position: positionOf(1) }])
})

test('a subscriber that is aborted while it waits no longer keeps events in memory', async () => {
  const subscriber = follow()
  await subscriber.next()
  const waiting = subscriber.next()
  expect(tail.readers.size).toBe(1)
  end.abort()
  expect(await waiting).toMatchObject({ done: true })
  expect(tail.readers.size).toBe(0)
})

test('a subscriber that stops iterating no longer keeps events in memory', async () => {
  const subscriber = follow()
  await subscriber.next()
  await subscriber.return?.()
  expect(tail.readers.size).toBe(0)
})
