import { expect, test } from 'vitest'
import { deterministicId } from '../../capabilities/commands/eventId.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { CHECKPOINTS_STREAM, streamName } from '../../contracts/streams.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { loseAnswer, MemoryEventStore } from '../../test/support/eventStores/memoryEventStore.ts'
import { anEvent } from '../../test/support/events/events.ts'
import type { SavedLine } from '../backup/readBackup.ts'
import { savedEvent } from '../backup/savedEvent.ts'
import { restoreEvents } from './restoreEvents.ts'
import { startedOrigin, startOrigin, withStartedOrigin } from './startOrigin.ts'

const SHA256 = 'of the file'
const NEW_ORIGIN = { origin: 'log.test/r20260101000000', reason: 'restored from a backup' }
const facts = { sha256: SHA256, size: 3, at: '2026-01-01T00:00:00.000Z' }

async function savedStore(idsAreUnique: boolean): Promise<MemoryEventStore> {
  const store = new MemoryEventStore({ idsAreUnique })
  const ledger = streamName('ledger', deterministicId('company'))
  const checkpoint = anEvent({ origin: 'log.test', size: 2 }, deterministicId('checkpoint'), 'CheckpointSigned')
  await store.append(ledger, 'any', [anEvent(), anEvent()])
  await store.append(CHECKPOINTS_STREAM, 'any', [checkpoint])
  // As in EventStoreDB: an event that a store with unique ids omits.
  if (!idsAreUnique) await store.append(CHECKPOINTS_STREAM, 'any', [checkpoint])
  await store.append(ledger, 'any', [anEvent()])
  return store
}

async function* linesOf(store: MemoryEventStore): AsyncGenerator<SavedLine[], void, void> {
  const { events } = await store.readAll({ after: BEGINNING, limit: 100 })
  for (const event of events) yield [{ event: savedEvent(event), bytes: 1 }]
}

async function restore(from: MemoryEventStore, to: MemoryEventStore) {
  const revision = from.stored(CHECKPOINTS_STREAM).length
  return restoreEvents({
    store: to,
    lines: withStartedOrigin(linesOf(from), await startedOrigin(to, SHA256), revision),
    savedIdsAreUnique: from.idsAreUnique,
    clock: systemClock,
    signal: new AbortController().signal,
    beforeWriting: async () => {},
    onProgress: () => {},
  })
}

test.for([
  [true, true],
  [true, false],
  [false, true],
  [false, false],
] as const)(
  'a restore that continues accepts the origin that it started, and only this one (unique ids: %s to %s)',
  async ([from, to]) => {
    const [source, target] = [await savedStore(from), new MemoryEventStore({ idsAreUnique: to })]
    const { logSize, appended } = await restore(source, target)
    expect(logSize).toBe(3)
    target.failNext(loseAnswer)
    await startOrigin({ store: target, clock: systemClock }, NEW_ORIGIN, facts)
    expect(target.stored(CHECKPOINTS_STREAM).at(-1)).toMatchObject({
      type: 'LogOriginStarted',
      data: { size: 3, ...NEW_ORIGIN },
    })
    expect(await restore(source, target)).toMatchObject({ found: appended + 1, appended: 0 })
    const started = target.stored(CHECKPOINTS_STREAM).filter(({ type }) => type === 'LogOriginStarted')
    expect(started).toHaveLength(1)
    expect(await startedOrigin(target, SHA256)).toEqual(started[0])
    expect(await startedOrigin(target, 'of another file')).toBeNull()
  },
)

test('an origin started by the restore of another file is an event of another store', async () => {
  const [source, target] = [await savedStore(true), new MemoryEventStore()]
  await restore(source, target)
  await startOrigin({ store: target, clock: systemClock }, NEW_ORIGIN, { ...facts, sha256: 'of another file' })
  await expect(restore(source, target)).rejects.toThrow(
    /^the event store holds LogOriginStarted .* needs an empty store$/,
  )
})
