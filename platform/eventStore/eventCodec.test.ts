import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import { type EventDefinition, event } from '../../contracts/events/definition.ts'
import type { Position } from '../../contracts/position.ts'
import { type Cause, newEvent, upcast } from './eventCodec.ts'

const cause: Cause = {
  correlationId: 'a request',
  causationId: 'a command',
  actor: { kind: 'system', name: 'test' },
}

describe('a new event', () => {
  const data = {
    companyId: '11111111-1111-4111-8111-111111111111',
    hardCap: true,
    changedAt: '2026-03-01T10:00:00.000Z',
  }

  test('gets the current version of its schema and its cause', () => {
    expect(newEvent('an id', { type: 'HardCapChanged', data }, cause)).toEqual({
      id: 'an id',
      type: 'HardCapChanged',
      data,
      metadata: { schemaVersion: 1, ...cause },
    })
  })

  test.each([
    ['a field of another type', { ...data, hardCap: 'yes' }],
    ['a field too many', { ...data, raw: 'secret' }],
    [
      'a time without milliseconds, which would not compare with others as text',
      { ...data, changedAt: '2026-03-01T10:00:00Z' },
    ],
    ['a time that is not UTC', { ...data, changedAt: '2026-03-01T10:00:00.000+02:00' }],
  ])('with %s is never stored', (_, wrong) => {
    expect(() => newEvent('an id', { type: 'HardCapChanged', data: wrong }, cause)).toThrow(
      /HardCapChanged does not follow/,
    )
  })

  test('of a type outside the catalogue is never stored', () => {
    expect(() => newEvent('an id', { type: 'SomethingElse', data: {} }, cause)).toThrow(/SomethingElse is not known/)
  })
})

describe('an old event', () => {
  const catalogue: Record<string, EventDefinition> = {
    Renamed: event(3, z.strictObject({ first: z.string(), last: z.string(), nickname: z.string().nullable() }), {
      upcasters: {
        1: ({ name, ...rest }) => {
          const [first, last] = String(name).split(' ')
          return { ...rest, first, last }
        },
        2: (data) => ({ ...data, nickname: null }),
      },
    }),
    Gapped: event(3, z.strictObject({}), { upcasters: { 2: (data) => data } }),
  }
  const recorded = (type: string, schemaVersion: number, data: Record<string, unknown>): RecordedEvent => ({
    id: '22222222-2222-4222-8222-222222222222',
    stream: 'person-1',
    revision: 4,
    position: '0000000000000009' as Position,
    recordedAt: '2026-03-01T10:00:00.000Z',
    type,
    data,
    metadata: { schemaVersion, ...cause },
  })

  test('passes through every version up to the current one, and is otherwise unchanged', () => {
    const old = recorded('Renamed', 1, { name: 'Ada Lovelace' })
    const current = upcast(old, catalogue)
    expect(current).toEqual({
      ...old,
      data: { first: 'Ada', last: 'Lovelace', nickname: null },
      metadata: { ...old.metadata, schemaVersion: 3 },
    })
    expect(catalogue.Renamed?.schema.safeParse(current.data).success).toBe(true)
  })

  test('starts at its own version', () => {
    const data = { first: 'Ada', last: 'Lovelace' }
    expect(upcast(recorded('Renamed', 2, data), catalogue).data).toEqual({ ...data, nickname: null })
  })

  test('is not modified: the stored event stays as it was', () => {
    const old = recorded('Renamed', 1, Object.freeze({ name: 'Ada Lovelace' }))
    upcast(old, catalogue)
    expect(old).toEqual(recorded('Renamed', 1, { name: 'Ada Lovelace' }))
  })

  test('of the current version is returned as it is', () => {
    const event = recorded('Renamed', 3, { first: 'Ada', last: 'Lovelace', nickname: null })
    expect(upcast(event, catalogue)).toBe(event)
  })

  test('means what its type says about the time when it was first stored', () => {
    const dated: Record<string, EventDefinition> = {
      Dated: event(2, z.strictObject({ from: z.string() }), {
        upcasters: { 1: ({ since }) => ({ from: since }) },
        asRecorded: (data, recordedAt) => (String(data.from) < recordedAt ? { from: recordedAt } : data),
      }),
    }
    const [first, later] = ['2026-03-01T10:00:00.000Z', '2026-03-02T10:00:00.000Z']
    const inTime = recorded('Dated', 2, { from: later })
    expect(upcast(inTime, dated)).toBe(inTime)
    expect(upcast(recorded('Dated', 1, { since: '2026-01-01' }), dated).data).toEqual({ from: first })
    const restored = { ...recorded('Dated', 2, { from: '2026-01-01' }), recordedAt: later }
    const metadata = { ...restored.metadata, recordedAt: first }
    expect(upcast({ ...restored, metadata }, dated).data).toEqual({ from: first })
  })

  test('throws if an upcaster is missing', () => {
    expect(() => upcast(recorded('Gapped', 1, {}), catalogue)).toThrow(/Gapped has no upcaster from version 1/)
  })

  test.each([4, Number.NaN, undefined as unknown as number])(
    'of version %s, which is not known, stops the reader',
    (version) => {
      expect(() => upcast(recorded('Renamed', version, {}), catalogue)).toThrow(/this program knows versions up to 3/)
    },
  )

  test('of an unknown type throws', () => {
    expect(() => upcast(recorded('Unheard', 1, {}), catalogue)).toThrow(/Unheard is not known/)
  })
})
