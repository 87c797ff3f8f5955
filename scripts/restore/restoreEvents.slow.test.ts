import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deterministicId } from '../../capabilities/commands/eventId.ts'
import type { NewEvent, RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { EVENT_DATA_BYTES_MAX } from '../../platform/eventStore/eventGuard.ts'
import { openEventStoreDb } from '../../platform/eventStore/eventStoreDb/eventStoreDb.ts'
import type { BulkEvents, EventStore } from '../../platform/eventStore/port.ts'
import { APPEND_TIMEOUT_MS } from '../../platform/eventStore/storeLimits.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { PostgresStoreHarness } from '../../test/support/databases/postgresStore.ts'
import { EventStoreNode } from '../../test/support/eventStores/eventStoreNode/node.ts'
import {
  hanging,
  landingLate,
  loseAnswer,
  loseRequest,
  MemoryEventStore,
  unavailable,
} from '../../test/support/eventStores/memoryEventStore.ts'
import { anEventOf } from '../../test/support/events/history.ts'
import { charged } from '../../test/support/events/ledgerEvents.ts'
import { appendMixedHistory } from '../../test/support/events/mixedHistory.ts'
import { until } from '../../test/support/time/until.ts'
import { readBackup } from '../backup/readBackup.ts'
import { type SavedEvent, savedEvent } from '../backup/savedEvent.ts'
import { writeBackup } from '../backup/writeBackup.ts'
import { type Restored, restoreEvents } from './restoreEvents.ts'

let folder: string
let file: string
const closers: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-restore-'))
  file = join(folder, 'saved.gz')
})
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
  await rm(folder, { recursive: true })
})

async function postgres(): Promise<EventStore> {
  const harness = await PostgresStoreHarness.open()
  closers.push(() => harness.close())
  return harness.store
}

async function eventStoreDb(
  prepare: (node: EventStoreNode) => void = () => {},
  appendTimeoutMs: number = APPEND_TIMEOUT_MS,
): Promise<EventStore> {
  const node = await EventStoreNode.start()
  node.writeSystemEvent()
  prepare(node)
  closers.push(() => node.stop())
  const store = openEventStoreDb(node.url, {
    clock: systemClock,
    ids: systemIds,
    prefix: 'tollgate.',
    log: pino({ enabled: false }),
    appendTimeoutMs,
  })
  closers.push(() => store.close())
  return store
}

function save(store: EventStore) {
  return writeBackup({
    store,
    to: createWriteStream(file),
    createdAt: '2026-03-01T00:00:00.000Z',
    signal: new AbortController().signal,
    onProgress: () => {},
  })
}

type Changes = Partial<Parameters<typeof restoreEvents>[0]>

function restore(store: EventStore, changes: Changes = {}): Promise<Restored> {
  return restoreEvents({
    store,
    lines: readBackup(file),
    savedIdsAreUnique: true,
    clock: systemClock,
    signal: new AbortController().signal,
    beforeWriting: async () => {},
    onProgress: () => {},
    ...changes,
  })
}

async function allOf(store: EventStore): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = []
  for (let after = BEGINNING; ; ) {
    const page = await store.readAll({ after, limit: 1_000 })
    all.push(...page.events)
    if (page.position === after) return all
    after = page.position
  }
}

/** Everything that another store can preserve: positions are its own. */
const contentOf = (events: readonly RecordedEvent[]) =>
  events.map((event) => {
    const { position, ...content } = withoutIndex(savedEvent(event))
    return content
  })

/** The log index is set by the restore (logIndexes.property.test.ts). */
function withoutIndex({ metadata: { logIndex: _, ...metadata }, ...event }: SavedEvent): SavedEvent {
  return { ...event, metadata }
}

/** Only the order within a stream is relied on. */
const inStreamOrder = (events: readonly RecordedEvent[]) =>
  contentOf(events).toSorted((a, b) => (a.stream === b.stream ? a.revision - b.revision : a.stream < b.stream ? -1 : 1))

const ledgerOf = (n: number) => streamName('ledger', deterministicId(`company ${n}`))

const aCharge = (id?: string) => anEventOf(charged(randomUUID()), id)

describe('events are restored as they were saved, with id, revision, data, metadata, time and order', () => {
  test('from Postgres to Postgres, even at the same positions', async () => {
    const [source, target] = [await postgres(), await postgres()]
    const { events } = await appendMixedHistory(source)
    await save(source)
    expect(await restore(target)).toMatchObject({ found: 0, appended: events, copies: 0 })
    const restored = await allOf(target)
    expect(restored).toHaveLength(events)
    expect(restored.map(savedEvent).map(withoutIndex)).toEqual((await allOf(source)).map(savedEvent))
  })

  test('to EventStoreDB, and from there to Postgres', async () => {
    const [source, between, target] = [new MemoryEventStore(), await eventStoreDb(), await postgres()]
    const { events } = await appendMixedHistory(source)
    await save(source)
    expect(await restore(between)).toMatchObject({ appended: events })
    expect(inStreamOrder(await allOf(between))).toEqual(inStreamOrder(await allOf(source)))
    expect(await save(between)).toMatchObject({ events, idsAreUnique: false })
    expect(await restore(target, { savedIdsAreUnique: false })).toMatchObject({ found: 0, appended: events, copies: 0 })
    expect(inStreamOrder(await allOf(target))).toEqual(inStreamOrder(await allOf(between)))
    const idsOfLedgers = async (store: EventStore) =>
      (await allOf(store)).filter(({ stream }) => stream.startsWith('ledger-')).map(({ id }) => id)
    expect(await idsOfLedgers(target)).toEqual(await idsOfLedgers(source))
  })

  test('including the largest ones, and more than fit one batch', async () => {
    const [source, target] = [new MemoryEventStore(), await postgres()]
    const stream = streamName('ledger', randomUUID())
    const text = 'x'.repeat(EVENT_DATA_BYTES_MAX - '{"text":""}'.length)
    for (let n = 0; n < 6; n++) await source.append(stream, 'any', [{ ...aCharge(), data: { text } }, aCharge()])
    for (let n = 0; n < 30; n++) {
      await source.append(
        stream,
        'any',
        Array.from({ length: 100 }, () => aCharge()),
      )
    }
    await save(source)
    expect(await restore(target)).toMatchObject({ appended: 3_012 })
    expect(contentOf(await allOf(target))).toEqual(contentOf(await allOf(source)))
  })
})

describe('a store that was saved while it was being written to', () => {
  test('is saved up to its end when the backup began', async () => {
    const source = await postgres()
    const { events } = await appendMixedHistory(source)
    const busy: EventStore = {
      ...source,
      idsAreUnique: true,
      head: () => source.head(),
      readAll: async (options) => {
        await appendMixedHistory(source, { companies: 1, rounds: 1 })
        return source.readAll(options)
      },
    }
    const facts = await save(busy)
    expect(facts).toMatchObject({ events, position: facts.head })
  })
})

describe('an interrupted restore', () => {
  test.each(['Postgres', 'EventStoreDB'])('into %s continues where it stopped', async (engine) => {
    const source = new MemoryEventStore()
    const target = engine === 'Postgres' ? await postgres() : await eventStoreDb()
    const { events } = await appendMixedHistory(source, { rounds: 150 })
    await save(source)
    const stopping = new AbortController()
    const interrupted = restore(target, { signal: stopping.signal, onProgress: () => stopping.abort(new Error('cut')) })
    await expect(interrupted).rejects.toThrow('cut')
    const there = (await allOf(target)).length
    expect(there).toBeGreaterThan(0)
    expect(there).toBeLessThan(events)
    expect(await restore(target)).toMatchObject({ found: there, appended: events - there, copies: 0 })
    expect(inStreamOrder(await allOf(target))).toEqual(inStreamOrder(await allOf(source)))
    expect(await restore(target)).toMatchObject({ found: events, appended: 0, copies: 0 })
  })

  test('continues if the events of its last batch are out of order or incomplete', async () => {
    const [source, target] = [new MemoryEventStore(), new MemoryEventStore()]
    for (const n of [0, 1, 2, 3]) await source.append(ledgerOf(n), 'any', [aCharge(), aCharge()])
    await save(source)
    const saved = await allOf(source)
    const copy = (from: number, to: number) => {
      for (let n = from; n < to; n++) {
        const event = saved[n]
        if (event) target.write(event.stream, 'any', [asRestored(event, n)])
      }
    }
    copy(4, 6)
    copy(0, 1)
    expect(await restore(target)).toMatchObject({ found: 3, appended: 5, copies: 0 })
    for (const n of [0, 1, 2, 3]) {
      expect(contentOf(target.stored(ledgerOf(n)))).toEqual(contentOf(source.stored(ledgerOf(n))))
    }
  })

  test.each([true, false])(
    'continues wherever it stopped if streams of the file have gaps (unique ids: %s)',
    async (idsAreUnique) => {
      const source = new MemoryEventStore()
      for (const n of [0, 1, 0, 2, 1, 0]) await source.append(ledgerOf(n), 'any', [aCharge(), aCharge()])
      await save(withGaps(source))
      const saved = await allOf(source)
      for (let there = 0; there <= saved.length; there++) {
        const target = new MemoryEventStore({ idsAreUnique })
        for (const [n, event] of saved.slice(0, there).entries())
          target.write(event.stream, 'any', [asRestored(event, n)])
        expect(await restore(target, { savedIdsAreUnique: false })).toMatchObject({
          found: there,
          appended: saved.length - there,
          copies: 0,
        })
        expect(inStreamOrder(await allOf(target))).toEqual(inStreamOrder(saved))
      }
    },
  )

  test('writes nothing if all events are stored', async () => {
    const [source, target] = [new MemoryEventStore(), await postgres()]
    await appendMixedHistory(source)
    await save(source)
    await restore(target)
    let prepared = 0
    await restoreEvents({
      store: target,
      lines: readBackup(file),
      savedIdsAreUnique: true,
      clock: systemClock,
      signal: new AbortController().signal,
      beforeWriting: async () => {
        prepared++
      },
      onProgress: () => {},
    })
    expect(prepared).toBe(0)
  })
})

describe('a restore into Postgres', () => {
  /** The store with different bulk operations, and the appends that it got. */
  function watched(store: EventStore, append: BulkEvents['append'] | null) {
    const { bulk } = store
    const appends: string[] = []
    const changed: EventStore = {
      ...{ idsAreUnique: true, head: () => store.head(), readAll: (options) => store.readAll(options) },
      ...{ readStream: (...args) => store.readStream(...args), foreignEvents: (stream) => store.foreignEvents(stream) },
      ...{ subscribe: (options) => store.subscribe(options), parsePosition: (text) => store.parsePosition(text) },
      ...{ eventsAfter: (position) => store.eventsAfter(position), close: () => store.close() },
      ...(bulk && {
        bulk: { read: (after) => bulk.read(after), append: append ?? ((...args) => bulk.append(...args)) },
      }),
      append: (stream, expected, events) => {
        appends.push(stream)
        return store.append(stream, expected, events)
      },
    }
    return { changed, appends }
  }

  test('sends whole batches and no single append', async () => {
    const [source, target] = [new MemoryEventStore(), await postgres()]
    const { events } = await appendMixedHistory(source)
    await save(source)
    const { changed, appends } = watched(target, null)
    expect(await restore(changed, { batchEventsMax: 100 })).toMatchObject({ found: 0, appended: events })
    expect(await restore(changed)).toMatchObject({ found: events, appended: 0 })
    expect(appends).toEqual([])
  })

  test.each(['before', 'after'])('sends single appends if a batch fails %s it is stored', async (moment) => {
    const [source, target] = [new MemoryEventStore(), await postgres()]
    const { events } = await appendMixedHistory(source)
    await save(source)
    let batches = 0
    const { changed, appends } = watched(target, async (after, texts) => {
      if (++batches !== 2) return target.bulk?.append(after, texts) ?? after
      if (moment === 'after') await target.bulk?.append(after, texts)
      throw new Error('cut')
    })
    expect(await restore(changed, { batchEventsMax: 100 })).toMatchObject({ found: 0, appended: events, copies: 0 })
    expect(batches).toBeGreaterThan(2)
    expect(appends.length).toBeGreaterThan(0)
    expect(contentOf(await allOf(target))).toEqual(contentOf(await allOf(source)))
  })
})

/** The store as EventStoreDB shows it if other applications wrote to its streams: before, between and after its events. */
function withGaps(store: EventStore): EventStore {
  const others = (revision: number) => (revision < 1 ? 1 : revision < 3 ? 3 : 4)
  return {
    ...store,
    idsAreUnique: false,
    head: () => store.head(),
    readAll: async (options) => {
      const { events, position } = await store.readAll(options)
      const shown = events.map((event) => ({
        ...event,
        revision: event.stream === ledgerOf(2) ? event.revision : event.revision + others(event.revision),
      }))
      return { events: shown, position }
    },
  }
}

function asRestored(event: RecordedEvent, logIndex: number): NewEvent {
  const { id, type, data, metadata, recordedAt } = savedEvent(event)
  return { id, type, data, metadata: { ...metadata, recordedAt, logIndex } }
}

describe('a store that holds other events is refused before anything is written', () => {
  const other = aCharge()
  test.each<[string, (event: NewEvent) => NewEvent[]]>([
    ['an event that is not in the file', (event) => [event, other]],
    ['one of the file under another id', (event) => [{ ...event, id: randomUUID() }]],
    ['one with other data', (event) => [{ ...event, data: { ...event.data, amountMicros: '1' } }]],
    ['one of another type', (event) => [{ ...event, type: 'CreditsGranted' }]],
    ['one by somebody else', (event) => [{ ...event, metadata: { ...event.metadata, causationId: 'another' } }]],
    ['one at another place in the log', (event) => [{ ...event, metadata: { ...event.metadata, logIndex: 1 } }]],
    ['one of another time', (event) => [{ ...event, metadata: { ...event.metadata, ...{ recordedAt: '2027' } } }]],
  ])('%s', async (_, inTarget) => {
    const [source, target] = [new MemoryEventStore(), new MemoryEventStore()]
    await source.append(ledgerOf(1), 'none', [aCharge(), aCharge()])
    await source.append(ledgerOf(2), 'none', [aCharge()])
    await save(source)
    const [first] = source.stored(ledgerOf(1))
    if (!first) throw new Error('nothing was stored')
    target.write(ledgerOf(1), 'none', inTarget(asRestored(first, 0)))
    const before = await allOf(target)
    await expect(restore(target)).rejects.toThrow(/^the event store holds .* a restore needs an empty store$/)
    expect(await allOf(target)).toEqual(before)
  })

  test('more events than the file has', async () => {
    const [source, target] = [new MemoryEventStore(), await postgres()]
    await appendMixedHistory(source)
    await save(source)
    await restore(target)
    await target.append(streamName('ledger', randomUUID()), 'any', [other])
    await expect(restore(target)).rejects.toThrow(other.id)
  })
})

describe('trouble with the store', () => {
  test.each([
    // If only ids prevent repeated appends, those to one stream share a commit and fail together.
    [true, [0, 1, 2, 3, 4, 5]],
    [false, [0, 1, 0, 2, 0, 1]],
  ])(
    'an answer or a request that is lost, a store that is away: stored once (unique ids: %s)',
    async (idsAreUnique, streams) => {
      const [source, target] = [new MemoryEventStore(), new MemoryEventStore({ idsAreUnique })]
      for (const n of streams) await source.append(ledgerOf(n), 'any', [aCharge(), aCharge()])
      await save(source)
      target.failNext(loseAnswer, loseRequest, unavailable, loseAnswer)
      expect(await restore(target)).toMatchObject({ found: 0, appended: 12, copies: 0 })
      for (const n of streams) {
        expect(contentOf(target.stored(ledgerOf(n)))).toEqual(contentOf(source.stored(ledgerOf(n))))
      }
    },
  )

  test('a store that accepts a later append but not the one before it is reported as an error', async () => {
    const [source, target] = [new MemoryEventStore(), new MemoryEventStore()]
    for (const n of [0, 1, 0]) await source.append(ledgerOf(n), 'any', [aCharge()])
    await save(source)
    target.failNext(loseRequest)
    await expect(restore(target)).rejects.toThrow(/empty it, and restore again$/)
    await expect(restore(target)).rejects.toThrow(/a restore needs an empty store$/)
  })

  test.each(['loseAck', 'dropBefore', 'dropAfter', 'restartAfter'] as const)('EventStoreDB: %s', async (fault) => {
    const source = new MemoryEventStore()
    let struck = () => 0
    const target = await eventStoreDb((node) => {
      node.faults.arm({ fault, every: 5 })
      struck = () => node.faults.struck.get(fault) ?? 0
    }, 1_000)
    const { events } = await appendMixedHistory(source, { rounds: 5 })
    await save(source)
    expect(await restore(target)).toMatchObject({ appended: events })
    expect(struck()).toBeGreaterThan(0)
    expect(inStreamOrder(await allOf(target))).toEqual(inStreamOrder(await allOf(source)))
  })

  test('an append that is stored late, after a retry, is not stored twice', async () => {
    const [source, target] = [new MemoryEventStore(), new MemoryEventStore({ idsAreUnique: false })]
    await source.append(ledgerOf(1), 'any', [aCharge(), aCharge()])
    await save(source)
    const late = landingLate()
    target.failNext(late.fault)
    await restore(target)
    late.land()
    expect(target.stored(ledgerOf(1))).toHaveLength(2)
  })

  test.each([true, false])('a concurrent writer is detected (unique ids: %s)', async (idsAreUnique) => {
    const [source, target] = [new MemoryEventStore(), new MemoryEventStore({ idsAreUnique })]
    await source.append(ledgerOf(1), 'any', [aCharge()])
    await save(source)
    const { fault, end } = hanging()
    target.failNext(fault)
    const restoring = restore(target)
    restoring.catch(() => {})
    await until('the append is on its way', () => target.sent.length > 0)
    target.write(ledgerOf(1), 'any', [aCharge()])
    end(async (apply) => apply())
    await expect(restoring).rejects.toThrow(/another process may be writing to this store\. .* restore again$/)
  })
})

describe('a store that had an event twice', () => {
  const ledger = streamName('ledger', randomUUID())
  const repeated = [aCharge(), aCharge()]
  /** The worst case with EventStoreDB: it forgot the ids, and took a repetition for something new. */
  async function withCopies(): Promise<EventStore> {
    const store = await eventStoreDb((node) => {
      node.faults.forgetsIds = true
    })
    await store.append(ledger, 'any', repeated)
    await store.append(ledger, 'any', [aCharge()])
    await store.append(ledger, 'any', repeated)
    await store.append(ledger, 'any', [aCharge(), aCharge()])
    await store.append(streamName('ledger', randomUUID()), 'any', repeated)
    await store.append(ledger, 'any', repeated.slice(1))
    await store.append(ledger, 'any', [aCharge()])
    return store
  }

  test('is restored with both copies if ids need not be unique', async () => {
    const [source, target] = [await withCopies(), await eventStoreDb()]
    await save(source)
    expect(await restore(target, { savedIdsAreUnique: false })).toMatchObject({ found: 0, appended: 11, copies: 0 })
    expect(inStreamOrder(await allOf(target))).toEqual(inStreamOrder(await allOf(source)))
  })

  test('is restored with one copy if ids must be unique, even after an interruption', async () => {
    const [source, target] = [await withCopies(), await postgres()]
    await save(source)
    const stopping = new AbortController()
    const cut = (events: number) => events >= 6 && stopping.abort(new Error('cut'))
    await expect(
      restore(target, { savedIdsAreUnique: false, signal: stopping.signal, onProgress: cut }),
    ).rejects.toThrow('cut')
    const there = (await allOf(target)).length
    expect(await restore(target, { savedIdsAreUnique: false })).toMatchObject({
      found: there,
      appended: 8 - there,
      copies: 3,
    })
    const seen = new Set<string>()
    const once = (await allOf(source)).filter(({ stream, id }) => {
      const isNew = !seen.has(stream + id)
      seen.add(stream + id)
      return isNew
    })
    const withoutRevision = (events: RecordedEvent[]) => contentOf(events).map(({ revision, ...rest }) => rest)
    expect(withoutRevision(await allOf(target))).toEqual(withoutRevision(once))
  })
})
