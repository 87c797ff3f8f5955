import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../../../contracts/position.ts'
import { EventStoreNode } from '../../../../test/support/eventStores/eventStoreNode/node.ts'
import { anEvent } from '../../../../test/support/events/events.ts'
import { until } from '../../../../test/support/time/until.ts'
import { systemClock } from '../../../clock/clock.ts'
import { systemIds } from '../../../ids/ids.ts'
import type { EventStore } from '../../port.ts'
import { StoreConnections } from '../connection/storeConnections.ts'
import { openEventStoreDb } from '../eventStoreDb.ts'
import { ForeignEvents } from './foreignEvents.ts'
import { LiveEvents } from './liveEvents.ts'
import { OwnStreams } from './ownStreams.ts'
import { StoredEvents } from './storedEvent.ts'

/** Events that the server looks at between two checkpoints of a filtered subscription. */
const PAGE = 1_000

const PREFIX = 'tollgate.'

let node: EventStoreNode
let store: EventStore
let others: EventStore
let connections: StoreConnections
let live: LiveEvents | null
beforeEach(async () => {
  node = await EventStoreNode.start()
  store = open(PREFIX)
  others = open('others.')
  connections = new StoreConnections(node.url, systemClock)
  live = null
})
afterEach(async () => {
  live?.close()
  connections.close()
  await store.close()
  await others.close()
  await node.stop()
})

const log = pino({ enabled: false })
const open = (prefix: string) => openEventStoreDb(node.url, { clock: systemClock, ids: systemIds, prefix, log })
const stored = new StoredEvents(new OwnStreams(PREFIX), new ForeignEvents({ log }))

const subscribed = (after: Position = BEGINNING) => {
  live = new LiveEvents(connections.another(), after, stored)
  return live
}
async function foreign(count: number) {
  for (let left = count; left > 0; left -= 100) {
    await others.append(
      'test-1',
      'any',
      Array.from({ length: Math.min(left, 100) }, () => anEvent()),
    )
  }
}

test('the position never passes an event that has not arrived, even at the page boundaries of the server', async () => {
  for (let n = 0; n < 3; n++) {
    await foreign(PAGE - 1)
    await store.append(`wanted-${n}`, 'any', [anEvent()])
    await foreign(PAGE)
    await store.append(`wanted-${n}`, 'any', [anEvent()])
  }
  const wanted = node.events.filter(({ stream }) => stream.startsWith(PREFIX)).map(({ position }) => position)
  const events = subscribed()
  const seen: number[] = []
  await until('all have come', async () => {
    await events.more()
    const taken = events.take()
    seen.push(...taken.events.map((event) => Number(event.position)))
    const missing = wanted[seen.length] ?? Number.POSITIVE_INFINITY
    expect(Number(taken.position)).toBeLessThan(missing)
    return seen.length === wanted.length
  })
  expect(seen).toEqual(wanted)
})

test('filtered events advance the position page by page', async () => {
  const { position } = await store.append('wanted-1', 'any', [anEvent()])
  const events = subscribed(position)
  await until('a checkpoint has come', async () => {
    await foreign(PAGE)
    return events.take().position > position
  })
})

test('the checkpoint of -1 that the server sends without events is not taken as a position', async () => {
  await foreign(1)
  const events = subscribed()
  await events.more()
  const { position } = await store.append('wanted-1', 'any', [anEvent()])
  await until('the event has come', () => {
    const taken = events.take()
    expect(taken.position <= position).toBe(true)
    return taken.events.length === 1
  })
})
