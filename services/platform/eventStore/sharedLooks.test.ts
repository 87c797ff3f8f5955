import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import { anEvent } from '../../../test/support/events.ts'
import { MemoryEventStore } from '../../../test/support/memoryEventStore.ts'
import type { ReadStreamOptions } from './port.ts'
import { SharedLooks } from './sharedLooks.ts'

const STREAM = 'ledger-1'

function harness() {
  const store = new MemoryEventStore({ idsAreUnique: false })
  const reads: (number | undefined)[] = []
  const readStream = (stream: string, options: ReadStreamOptions = {}): AsyncIterable<RecordedEvent> => {
    reads.push(options.from)
    return store.readStream(stream, options)
  }
  const write = () => {
    const event = anEvent()
    store.write(STREAM, 'any', [event])
    return event.id
  }
  return { store, reads, write, looks: new SharedLooks({ readStream }) }
}

test('all who look at the same time share one read, and those who come meanwhile the next', async () => {
  const { reads, write, looks } = harness()
  const ids = [write(), write(), write()]
  const first = looks.find(STREAM, ids[0] ?? '', 0)
  const others = Promise.all([2, 1, 1].map((from, n) => looks.find(STREAM, ids[n] ?? '', from)))
  expect(await first).toMatchObject({ found: { revision: 0, repeated: true } })
  expect((await others).map(({ found }) => found?.revision)).toEqual([undefined, 1, 2])
  expect(reads).toEqual([0, 1])
})

test('what is stored while a look is under way is seen by whoever asks after that', async () => {
  const { write, looks } = harness()
  write()
  const missed = looks.find(STREAM, 'another id', 0)
  const late = looks.find(STREAM, write(), 0)
  expect((await missed).found).toBeNull()
  expect((await late).found).toMatchObject({ revision: 1 })
})

test('who finds nothing goes on behind what was read, and never before where it began', async () => {
  const { write, looks } = harness()
  write()
  write()
  const answers = await Promise.all([looks.find(STREAM, 'nowhere', 0), looks.find(STREAM, 'nowhere', 7)])
  expect(answers).toEqual([
    { found: null, next: 2 },
    { found: null, next: 7 },
  ])
})

test('a read that fails fails for all whom it was for, and for nobody else', async () => {
  const { store, write, looks } = harness()
  const id = write()
  store.beforeRead = () => {
    store.beforeRead = () => {}
    throw new Error('the store is away')
  }
  const [first, second] = await Promise.allSettled([looks.find(STREAM, id, 0), looks.find(STREAM, id, 0)])
  expect(first).toMatchObject({ status: 'rejected' })
  expect(second).toMatchObject({ status: 'fulfilled', value: { found: { revision: 0 } } })
})
