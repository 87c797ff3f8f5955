import { expect, test } from 'vitest'
import { anEvent } from '../../../../test/support/events/events.ts'
import { SentEvents } from './sentEvents.ts'

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))

test('an event that was sent is found by its id, type and bytes', () => {
  const sent = new SentEvents()
  const event = anEvent({ n: 1 })
  const [data, metadata] = [bytes(event.data), bytes(event.metadata)]
  sent.add(event, data, metadata)
  expect(sent.find(event.id, event.type, Buffer.from(data), Buffer.from(metadata))).toBe(event)
})

test('an event that another process stored under the same id is not taken for the one that was sent', () => {
  const sent = new SentEvents()
  const event = anEvent({ n: 1 })
  const [data, metadata] = [bytes(event.data), bytes(event.metadata)]
  sent.add(event, data, metadata)
  expect(sent.find(event.id, event.type, bytes({ n: 2 }), metadata)).toBeNull()
  expect(sent.find(event.id, event.type, data, bytes({ ...event.metadata, schemaVersion: 9 }))).toBeNull()
  expect(sent.find(event.id, 'Another', data, metadata)).toBeNull()
})

test('the events that were sent last are remembered, and large ones are not', () => {
  const sent = new SentEvents()
  const found = (event: ReturnType<typeof anEvent>) =>
    sent.find(event.id, event.type, bytes(event.data), bytes(event.metadata)) !== null
  const events = Array.from({ length: 3_000 }, (_, n) => anEvent({ n }))
  for (const event of events) sent.add(event, bytes(event.data), bytes(event.metadata))
  expect(events.slice(-1_000).every(found)).toBe(true)
  expect(events.slice(0, 1_000).some(found)).toBe(false)
  const large = anEvent({ text: 'x'.repeat(5_000) })
  sent.add(large, bytes(large.data), bytes(large.metadata))
  expect(found(large)).toBe(false)
})
