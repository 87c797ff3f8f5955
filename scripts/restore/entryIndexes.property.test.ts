import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deterministicId } from '../../capabilities/commands/eventId.ts'
import type { NewEvent, RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { CHECKPOINTS_STREAM, streamName } from '../../contracts/streams.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { MemoryEventStore } from '../../test/support/eventStores/memoryEventStore.ts'
import { anEvent } from '../../test/support/events/events.ts'
import type { SavedLine } from '../backup/readBackup.ts'
import { savedEvent } from '../backup/savedEvent.ts'
import { restoreEvents } from './restoreEvents.ts'

const ledger = (name: string) => streamName('ledger', deterministicId(name))
const STREAMS = [ledger('a'), ledger('b'), ledger('c'), 'company-a', CHECKPOINTS_STREAM]

/** An append of new events, or a repetition of an earlier one that a store without unique ids takes for new. */
const anAppend = fc.record({
  stream: fc.constantFrom(...STREAMS),
  events: fc.integer({ min: 1, max: 4 }),
  repeats: fc.boolean(),
})

type Append = { readonly stream: string; readonly events: number; readonly repeats: boolean }

/** Whether each append of a restore arrives before the restoring process is killed. */
const aKill = fc.array(fc.boolean(), { maxLength: 10 })

/** A store, how the backup of the previous store is restored into it, and what is appended then. */
const aStore = fc.record({
  idsAreUnique: fc.boolean(),
  batchEventsMax: fc.integer({ min: 1, max: 12 }),
  kills: fc.array(aKill, { maxLength: 3 }),
  appends: fc.array(anAppend, { maxLength: 12 }),
})

const one = (stream: string): Append => ({ stream, events: 1, repeats: false })
const FIRST_EVENT_LOST_THREE_TIMES = [
  {
    idsAreUnique: false,
    batchEventsMax: 2,
    kills: [],
    appends: [one(ledger('a')), one(ledger('b')), one(ledger('b')), one(ledger('b'))],
  },
  { idsAreUnique: false, batchEventsMax: 2, kills: Array(3).fill([false, true]), appends: [] },
]

test('the log has the same order after any series of backups and interrupted restores, with any new events between them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStore, { minLength: 1, maxLength: 4 }), async (stores) => {
      let before: { store: MemoryEventStore; log: string[] } | null = null
      for (const [n, { idsAreUnique, batchEventsMax, kills, appends }] of stores.entries()) {
        const store = new MemoryEventStore({ idsAreUnique })
        if (before) {
          await restoreWithKills(before.store, store, { batchEventsMax, kills })
          expect(await sealedOrderOf(store, batchEventsMax)).toEqual(before.log)
        }
        for (const [at, append] of appends.entries()) await write(store, `${n} ${at}`, append)
        before = { store, log: await sealedOrderOf(store, batchEventsMax) }
      }
    }),
    { numRuns: propertyRuns({ few: 100, many: 300 }), examples: [[FIRST_EVENT_LOST_THREE_TIMES]] },
  )
})

async function write(store: MemoryEventStore, name: string, { stream, events, repeats }: Append) {
  // The copies of restored events have their metadata.
  const earlier = store.stored(stream).slice(0, events)
  const again = earlier.map(({ id, type, data, metadata }): NewEvent => ({ id, type, data, metadata }))
  // A checkpoint has the size of the log.
  const { length: size } = await sealedOrderOf(store)
  const others = Array.from({ length: events }, (_, n) => anEvent({ n, size }, deterministicId(`${name} ${n}`)))
  store.write(stream, 'any', repeats && !store.idsAreUnique && again.length > 0 ? again : others)
}

async function restoreWithKills(
  from: MemoryEventStore,
  to: MemoryEventStore,
  { batchEventsMax, kills }: { batchEventsMax: number; kills: readonly boolean[][] },
) {
  const restore = (store: EventStore) =>
    restoreEvents({
      store,
      lines: linesOf(from),
      savedIdsAreUnique: from.idsAreUnique,
      batchEventsMax,
      clock: systemClock,
      signal: new AbortController().signal,
      beforeWriting: async () => {},
      onProgress: () => {},
    })
  for (const arrives of kills) await restore(dying(to, arrives)).catch(expectKilled)
  const { logSize } = await restore(to)
  expect(logSize).toBe((await sealedOrderOf(from)).length)
}

const KILLED = 'the process was killed'
const expectKilled = ({ message }: Error) => expect(message).toContain(KILLED)

/** The store as seen by a process that is killed. Of the appends to one stream, none arrives after one that does not. */
function dying(store: MemoryEventStore, arrives: readonly boolean[]): EventStore {
  const lost = new Set<string>()
  let sent = 0
  return {
    idsAreUnique: store.idsAreUnique,
    append: async (stream, expected, events) => {
      if (!arrives[sent++]) lost.add(stream)
      if (lost.has(stream)) throw new Error(KILLED)
      return store.write(stream, expected, events)
    },
    readStream: (...args) => store.readStream(...(args as Parameters<typeof store.readStream>)),
    foreignEvents: () => store.foreignEvents(),
    readAll: (options) => store.readAll(options as Parameters<typeof store.readAll>[0]),
    subscribe: () => store.subscribe(),
    head: () => store.head(),
    parsePosition: (text) => store.parsePosition(text),
    eventsAfter: (position) => store.eventsAfter(position),
    close: () => store.close(),
  }
}

async function* linesOf(store: MemoryEventStore): AsyncGenerator<SavedLine[], void, void> {
  const { events } = await store.readAll({ after: BEGINNING, limit: 10_000 })
  for (const event of events) yield [{ event: savedEvent(JSON.parse(JSON.stringify(event))), bytes: 1 }]
}

/** The entries of the log in order, as the sealer finds them in the store. */
async function sealedOrderOf(store: MemoryEventStore, heldBackMax = Number.POSITIVE_INFINITY): Promise<string[]> {
  const log: string[] = []
  const heldBack = new Map<number, string>()
  const { events } = await store.readAll({ after: BEGINNING, limit: 10_000 })
  let early = 0
  for (const event of events.filter(({ stream }) => stream !== 'company-a')) {
    const entry = `${event.stream} ${event.id}`
    const { logIndex } = event.metadata
    if (event.stream === CHECKPOINTS_STREAM) {
      early = Math.max(early, Number((event as RecordedEvent).data.size))
      expect(early - log.length).toBeLessThanOrEqual(heldBackMax)
    } else if (logIndex === undefined) {
      expect(heldBack.size).toBe(0)
      expect(early).toBeLessThanOrEqual(log.length)
      if (!log.includes(entry)) log.push(entry)
    } else {
      expect(heldBack.get(logIndex) ?? log[logIndex] ?? entry).toBe(entry)
      if (logIndex >= log.length) heldBack.set(logIndex, entry)
      expect(heldBack.size).toBeLessThanOrEqual(heldBackMax)
    }
    for (let next = heldBack.get(log.length); next !== undefined; next = heldBack.get(log.length)) {
      heldBack.delete(log.length)
      log.push(next)
    }
  }
  expect(heldBack.size).toBe(0)
  expect(early).toBeLessThanOrEqual(log.length)
  expect(new Set(log).size).toBe(log.length)
  return log
}
