import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../time/until.ts'
import { EventStoreNode } from './node.ts'

let folder: string
let file: string
let node: EventStoreNode
let client: EventStoreDBClient
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'event-store-node-'))
  file = join(folder, 'events')
  node = await EventStoreNode.start({ file })
  client = EventStoreDBClient.connectionString(node.url)
})
afterEach(async () => {
  await client.dispose()
  await node.stop()
  await rm(folder, { recursive: true })
})

/** For use after a restart: different settings, so that gRPC does not reuse the broken connection. */
const anotherClient = () => EventStoreDBClient.connectionString(`${node.url}&keepAliveTimeout=20000`)
const anEvent = () => jsonEvent({ type: 'SomethingHappened', data: { text: 'Zürich 東京' } })
const ids = () => node.events.map(({ id }) => id)

/** With its own credentials an append is sent alone, otherwise in a batch. */
describe.each([
  ['alone', { credentials: { username: 'admin', password: 'changeit' } }],
  ['in a batch', {}],
])('the official client, appending %s', (_, options) => {
  test('gets the revision and the position, and reads what it wrote', async () => {
    const events = [anEvent(), anEvent()]
    const { nextExpectedRevision, position } = await client.appendToStream('test-1', events, options)
    expect(nextExpectedRevision).toBe(1n)
    const read = []
    for await (const { event } of client.readStream('test-1')) read.push(event)
    expect(read).toMatchObject(events.map(({ id, type, data }) => ({ id, type, data, streamId: 'test-1' })))
    expect(read.at(-1)?.position).toEqual(position)
  })

  test('gets an error for a wrong revision and for an append that is too large', async () => {
    await client.appendToStream('test-1', anEvent(), options)
    const wrong = client.appendToStream('test-1', anEvent(), { ...options, expectedRevision: 7n })
    await expect(wrong).rejects.toMatchObject({ type: 'wrong-expected-version', actualVersion: 0n })
    const large = jsonEvent({ type: 'SomethingHappened', data: { text: 'x'.repeat(1024 * 1024) } })
    await expect(client.appendToStream('test-1', large, options)).rejects.toMatchObject({
      type: 'maximum-append-size-exceeded',
    })
    expect(node.events).toHaveLength(1)
  })
})

describe('an event id', () => {
  test('is known to an append with any, until the node restarts or a fault is asked for', async () => {
    const event = anEvent()
    const first = await client.appendToStream('test-1', event)
    expect(await client.appendToStream('test-1', event)).toEqual(first)
    expect(ids()).toEqual([event.id])
    node.faults.forgetsIds = true
    await client.appendToStream('test-1', event)
    expect(ids()).toEqual([event.id, event.id])
    node.faults.disarm()
    await client.appendToStream('test-1', event)
    expect(ids()).toHaveLength(2)
    await node.restart(0)
    const later = anotherClient()
    await later.appendToStream('test-1', event)
    expect(ids()).toHaveLength(3)
    await later.dispose()
  })

  test('is always known at an expected revision', async () => {
    const events = [anEvent(), anEvent()]
    const first = await client.appendToStream('test-1', events, { expectedRevision: 'no_stream' })
    await client.appendToStream('test-1', anEvent())
    await node.restart(0)
    const later = anotherClient()
    expect(await later.appendToStream('test-1', events, { expectedRevision: 'no_stream' })).toEqual(first)
    expect(node.events).toHaveLength(3)
    await later.dispose()
  })

  test('that another stream used since is forgotten: the memory goes by id alone', async () => {
    const event = anEvent()
    for (const stream of ['test-1', 'test-2', 'test-1']) await client.appendToStream(stream, event)
    expect(node.events.map(({ stream }) => stream)).toEqual(['test-1', 'test-2', 'test-1'])
  })
})

test('appends that are held are neither stored nor answered until they are released, and then in their order', async () => {
  node.faults.arm({ fault: 'holdAppend', every: 1 })
  const events = [anEvent(), anEvent()]
  const answers = []
  for (const event of events) {
    answers.push(client.appendToStream('test-1', event))
    await until('it is held', () => node.faults.held.length === answers.length)
  }
  expect(node.events).toHaveLength(0)
  node.faults.disarm()
  node.faults.release()
  expect((await Promise.all(answers)).map(({ nextExpectedRevision }) => nextExpectedRevision)).toEqual([0n, 1n])
  expect(ids()).toEqual(events.map(({ id }) => id))
})

test('a restart keeps every event and its position, and drops what was written half', async () => {
  await client.appendToStream('test-1', [anEvent(), anEvent()])
  node.writeSystemEvent()
  const before = [...node.events]
  await appendFile(file, '{"stream":"test-1","first":2,"ev')
  await node.restart(0)
  expect(node.events).toEqual(before)
  const later = anotherClient()
  expect(await later.appendToStream('test-1', anEvent())).toMatchObject({ nextExpectedRevision: 2n })
  await later.dispose()
})
