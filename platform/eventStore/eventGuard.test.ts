import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, NewEvent } from '../../contracts/envelope.ts'
import { anEvent } from '../../test/support/events/events.ts'
import {
  APPEND_BYTES_MAX,
  EVENT_DATA_BYTES_MAX,
  EVENT_METADATA_BYTES_MAX,
  EVENTS_PER_APPEND_MAX,
  encodeAppend,
  requireStorable,
} from './eventGuard.ts'
import { EventRefused } from './port.ts'

const encode = (data: JsonObject) => encodeAppend('job-1', [anEvent(data)])
const refused = (stream: string, events: readonly NewEvent[]) =>
  expect(() => encodeAppend(stream, events)).toThrow(EventRefused)

test('an event is encoded as JSON that parses to the same event', () => {
  const event = anEvent({ text: 'Zürich 東京 🚀', nested: [{ a: null }] })
  const [encoded] = encodeAppend('job-1', [event])
  expect(encoded).toMatchObject({ id: event.id, type: event.type })
  expect(JSON.parse(encoded?.data ?? '')).toEqual(event.data)
  expect(JSON.parse(encoded?.metadata ?? '')).toEqual(event.metadata)
})

describe('a NUL or a lone surrogate', () => {
  const anyText = fc.string({
    unit: fc.constantFrom('a', '\\', '"', 'u', '0', 'd', '8', '\u0000', '\ud83d', '\ude80', '\n'),
  })

  test('is refused anywhere in the data, and text that only looks like its escape is accepted', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, inName) => {
        const data = inName ? { [text]: 1 } : { deep: [{ text }] }
        if (text.includes('\u0000') || !text.isWellFormed()) expect(() => encode(data)).toThrow(EventRefused)
        else expect(() => encode(data)).not.toThrow()
      }),
      { numRuns: 2_000 },
    )
  })

  test('is refused in metadata too', () => {
    const event = anEvent()
    refused('job-1', [{ ...event, metadata: { ...event.metadata, correlationId: 'a\u0000' } }])
  })

  test('is accepted as a written-out escape', () => {
    expect(() => encode({ text: 'the escape \\u0000 and \\ud800' })).not.toThrow()
  })
})

describe('the size of event data', () => {
  const room = EVENT_DATA_BYTES_MAX - '{"t":""}'.length

  test.each([
    ['one byte each', 'x', room],
    ['two bytes each', 'ü', Math.floor(room / 2)],
    ['three bytes each', '東', Math.floor(room / 3)],
    ['four bytes each', '🚀', Math.floor(room / 4)],
    ['an escape each', '\n', Math.floor(room / 2)],
  ])('is counted in bytes, for characters of %s', (_, character, most) => {
    expect(() => encode({ t: character.repeat(most) })).not.toThrow()
    expect(() => encode({ t: character.repeat(most + 1) })).toThrow(/larger than 524288 bytes/)
  })

  test.each([
    ['plain', 'x', 1],
    ['with characters of three bytes', '東', 3],
  ])('is limited for a whole append too, %s', (_, letter, bytes) => {
    const events = (bytesOfData: number) => {
      const letters = letter.repeat(Math.floor((bytesOfData / 3 - '{"text":""}'.length) / bytes))
      return [1, 2, 3].map(() => ({ ...anEvent(), data: { text: letters } }))
    }
    expect(encodeAppend('test-1', events(APPEND_BYTES_MAX))).toHaveLength(3)
    expect(() => encodeAppend('test-1', events(APPEND_BYTES_MAX + 30))).toThrow(/bytes of data, over 1048576/)
  })

  test('does not include metadata, which has its own limit', () => {
    const event = anEvent()
    const correlationId = 'x'.repeat(EVENT_METADATA_BYTES_MAX)
    refused('job-1', [{ ...event, metadata: { ...event.metadata, correlationId } }])
  })
})

test.each([
  '',
  'job',
  '-1',
  'job-',
  'Job-1',
  'job-a\u0000',
  'job-a\nb',
  'job-\ud800',
  '1job-1',
  `job-${'x'.repeat(252)}`,
])('the stream name %j is refused', (stream) => {
  refused(stream, [anEvent()])
})

test.each(['job-1', 'creditPack-a-b-c', 'meeting-Room 東京 🚀', `job-${'x'.repeat(251)}`])(
  'the stream name %j is accepted',
  (stream) => {
    expect(() => encodeAppend(stream, [anEvent()])).not.toThrow()
  },
)

test.each(['', 'x', randomUUID().toUpperCase(), `${randomUUID()} `, `{${randomUUID()}}`])(
  'the id %j is refused',
  (id) => {
    refused('job-1', [anEvent({}, id)])
  },
)

test.each(['', 'jobPosted', 'Job Posted', 'Job"', `J${'x'.repeat(100)}`])('the type %j is refused', (type) => {
  refused('job-1', [anEvent({}, randomUUID(), type)])
})

test.each([
  ['null', null],
  ['text', 'text'],
  ['a number', 1],
  ['missing', undefined],
  ['a list', [1]],
])('data that is %s instead of an object is refused', (_, data) => {
  refused('job-1', [{ ...anEvent(), data: data as unknown as JsonObject }])
})

test('an append without events, with too many events or with a repeated id is refused', () => {
  const events = Array.from({ length: EVENTS_PER_APPEND_MAX + 1 }, () => anEvent())
  refused('job-1', [])
  refused('job-1', events)
  expect(encodeAppend('job-1', events.slice(1))).toHaveLength(EVENTS_PER_APPEND_MAX)
  const [first] = events
  if (first) refused('job-1', [first, first])
})

test('an event that is only checked is refused exactly if it cannot be encoded', () => {
  const id = randomUUID()
  const cases: [string, NewEvent][] = [
    ['job-1', anEvent({ text: 'plain' })],
    ['job-1', anEvent({ text: 'line\nbreak' })],
    ['job-1', anEvent({ text: '\u0001' })],
    ['job-1', anEvent({ text: '\u0000' })],
    ['job-1', anEvent({ text: '\ud83d' })],
    ['job-1', anEvent({ text: 'x'.repeat(EVENT_DATA_BYTES_MAX) })],
    ['job-1', anEvent({ text: 'x'.repeat(EVENT_DATA_BYTES_MAX / 2) })],
    ['job-1', { ...anEvent(), id: id.toUpperCase() }],
    ['job-1', { ...anEvent(), type: 'happened' }],
    ['job-1', { ...anEvent(), metadata: { ...anEvent().metadata, correlationId: '\u0000' } }],
    [
      'job-1',
      { ...anEvent(), metadata: { ...anEvent().metadata, correlationId: 'x'.repeat(EVENT_METADATA_BYTES_MAX) } },
    ],
    ['job', anEvent()],
  ]
  const isRefused = (work: () => unknown) => {
    try {
      work()
      return false
    } catch (error) {
      expect(error).toBeInstanceOf(EventRefused)
      return true
    }
  }
  for (const [stream, event] of cases) {
    const expected = isRefused(() => encodeAppend(stream, [event]))
    expect(isRefused(() => requireStorable(stream, event))).toBe(expected)
    expect(isRefused(() => requireStorable(stream, event, JSON.stringify(event.data)))).toBe(expected)
  }
})
