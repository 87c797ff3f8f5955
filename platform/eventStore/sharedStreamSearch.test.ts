import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { StreamName } from '../../contracts/streams.ts'
import { MemoryEventStore } from '../../test/support/eventStores/memoryEventStore.ts'
import { anEvent } from '../../test/support/events/events.ts'
import type { ReadStreamOptions } from './port.ts'
import { SharedStreamSearch } from './sharedStreamSearch.ts'

const STREAM = 'ledger-1'

function harness() {
  const store = new MemoryEventStore({ idsAreUnique: false })
  const reads: (number | undefined)[] = []
  const readStream = (stream: StreamName, options: ReadStreamOptions = {}): AsyncIterable<RecordedEvent> => {
    reads.push(options.from)
    return store.readStream(stream, options)
  }
  const write = () => {
    const event = anEvent()
    store.write(STREAM, 'any', [event])
    return event.id
  }
  return { store, reads, write, search: new SharedStreamSearch({ readStream }) }
}

test('concurrent searches share a read: those that start during one share the next', async () => {
  const { reads, write, search } = harness()
  const ids = [write(), write(), write()]
  const first = search.find(STREAM, ids[0] ?? '', 0)
  const others = Promise.all([2, 1, 1].map((from, n) => search.find(STREAM, ids[n] ?? '', from)))
  expect(await first).toMatchObject({ found: { revision: 0, repeated: true } })
  expect((await others).map(({ found }) => found?.revision)).toEqual([undefined, 1, 2])
  expect(reads).toEqual([0, 1])
})

test('a search that starts during a read finds an event that was stored during it', async () => {
  const { write, search } = harness()
  write()
  const missed = search.find(STREAM, 'another id', 0)
  const late = search.find(STREAM, write(), 0)
  expect((await missed).found).toBeNull()
  expect((await late).found).toMatchObject({ revision: 1 })
})

test('a search without a result continues after the last revision that was read, and never before its start', async () => {
  const { write, search } = harness()
  write()
  write()
  const answers = await Promise.all([search.find(STREAM, 'nowhere', 0), search.find(STREAM, 'nowhere', 7)])
  expect(answers).toEqual([
    { found: null, next: 2 },
    { found: null, next: 7 },
  ])
})

test('a failed read fails its own searches and no others', async () => {
  const { store, write, search } = harness()
  const id = write()
  store.beforeRead = () => {
    store.beforeRead = () => {}
    throw new Error('the store is unavailable')
  }
  const [first, second] = await Promise.allSettled([search.find(STREAM, id, 0), search.find(STREAM, id, 0)])
  expect(first).toMatchObject({ status: 'rejected' })
  expect(second).toMatchObject({ status: 'fulfilled', value: { found: { revision: 0 } } })
})
