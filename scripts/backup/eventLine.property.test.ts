import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventMetadata, JsonObject } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import { eventOfLine } from './eventLine.ts'
import { readLine, textLine } from './format.ts'
import type { SavedEvent } from './savedEvent.ts'

/** The names and texts at which a line is split. */
const telling = fc.constantFrom(
  'metadata',
  'recordedAt',
  'position',
  'data',
  ',"metadata":{',
  ',"recordedAt":"',
  '"}',
  '\\',
)
const text = fc.oneof(telling, fc.string({ unit: 'binary' }))
const { object } = fc.letrec((tie) => ({
  object: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  value: fc.oneof({ depthSize: 'small' }, text, fc.integer(), fc.constant(null), tie('object'), fc.array(tie('value'))),
})) as { object: fc.Arbitrary<Record<string, unknown>> }

const anEvent = fc.record({
  ...{ stream: fc.constantFrom('ledger-a', 'company-b'), revision: fc.nat(), id: fc.uuid() },
  ...{ type: fc.constant('Happened'), data: object, metadata: object },
  ...{ recordedAt: fc.constant('2026-01-01T00:00:00.000Z'), position: fc.constant('0000000000000001') },
})

test('a line is split into the event that it was written from, whatever its data and metadata are', () => {
  fc.assert(
    fc.property(anEvent, (generated) => {
      const line = textLine(generated as unknown as SavedEvent).trimEnd()
      // Parsed, because JSON has no undefined and no -0.
      const { data, metadata, ...rest } = JSON.parse(line) as SavedEvent
      const read = readLine(line) as SavedEvent
      const { stream, revision, id, type, recordedAt, position } = read
      expect({ stream, revision, id, type, recordedAt, position }).toEqual(rest)
      expect(read.data).toEqual(data)
      expect(read.metadata).toEqual(metadata)
    }),
    { numRuns: 2_000 },
  )
})

test('a line with its fields in another order is also read', () => {
  const event: SavedEvent = {
    ...{ position: '1' as Position, metadata: { schemaVersion: 1 } as EventMetadata, data: { n: 1 } as JsonObject },
    ...{ stream: 'ledger-a', revision: 3, id: 'x', type: 'Happened', recordedAt: '2026-01-01T00:00:00.000Z' },
  }
  const line = textLine(event).trimEnd()
  expect(eventOfLine(line)).toBeNull()
  expect(readLine(line)).toEqual(event)
})

test('a line with something between data and metadata fails to parse as JSON', () => {
  const start = '{"stream":"a-b","revision":0,"id":"x","type":"T","data":{"n":1}'
  const end = ',"metadata":{},"recordedAt":"2026","position":"1"}'
  expect(eventOfLine(`${start}${end}`)?.data).toEqual({ n: 1 })
  expect(() => eventOfLine(`${start},"more":2${end}`)?.data).toThrow(SyntaxError)
  expect(eventOfLine(`${start}${end}}`)).toBeNull()
  expect(eventOfLine(`${start}${end.replace('{}', '{')}`)).toBeNull()
})
