import { expect, test } from 'vitest'
import type { BatchResult } from '../../contracts/events/generator.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { MemoryEventStore } from '../../test/support/eventStores/memoryEventStore.ts'
import { collect } from '../../test/support/events/events.ts'
import { GeneratorStream } from './generatorStream.ts'

const name = 'match-scores'
const at = '2026-03-01T10:00:00.000Z'
const nothing: BatchResult = { jobs: [], talents: [], scores: [], failed: 0 }
const begin = (batch: number, isOpen = false) =>
  ({ type: 'StartBatch', name, pairs: 1, since: { batch, isOpen }, at }) as const
const complete = (batch: number) => ({ type: 'CompleteBatch', name, batch, result: nothing, at }) as const

function streams() {
  const store = new MemoryEventStore()
  const open = () => new GeneratorStream(name, { store, clock: systemClock, ids: systemIds })
  return {
    one: open(),
    other: open(),
    typesOf: async () => (await collect(store.readStream(open().stream))).map(({ type }) => type),
  }
}

test('a process sees the events that another process has written', async () => {
  const { one, other } = streams()
  expect((await other.read()).state).toEqual({ status: 'stopped', batch: 0, isOpen: false })
  await one.send({ type: 'StartGenerator', name, at })
  expect((await other.read()).state.status).toBe('running')
  await one.send(begin(0))
  await one.send(complete(1))
  await one.send(begin(1))
  expect((await other.read()).state).toEqual({ status: 'running', batch: 2, isOpen: true })
})

test('after a stop by another process the current batch completes and no other begins', async () => {
  const { one, other, typesOf } = streams()
  await one.send({ type: 'StartGenerator', name, at })
  await one.send(begin(0))
  await other.send({ type: 'StopGenerator', name, at })
  expect((await one.send(complete(1))).state.status).toBe('stopped')
  await expect(one.send(begin(1))).rejects.toThrow(/is stopped/)
  expect(await typesOf()).toEqual(['GeneratorStarted', 'BatchStarted', 'GeneratorStopped', 'BatchCompleted'])
})

test('a replaced process cannot complete its batch, and its replacement cannot start from an outdated state', async () => {
  const { one, other } = streams()
  await one.send({ type: 'StartGenerator', name, at })
  await one.send(begin(0))
  const taken = await other.read()
  await one.send(complete(1))
  await expect(other.send(begin(taken.state.batch, taken.state.isOpen))).rejects.toThrow(/another process/)
  await other.send(begin(1))
  await one.send(begin(1)).catch(() => {})
  await expect(one.send(complete(1))).rejects.toThrow(/not in progress/)
})
