import { expect, test, vi } from 'vitest'
import type { Position } from '../../../../contracts/position.ts'
import { anEvent } from '../../../../test/support/events/events.ts'
import type { Log } from '../../../logger/logger.ts'
import { ForeignEvents, ownEvent } from './foreignEvents.ts'

const { type, data, metadata } = anEvent({ n: 1 })
const own = { type, isJson: true, data, metadata }

test('an event with our metadata is ours', () => {
  expect(ownEvent(own)).toEqual({ data, metadata })
})

test.each([
  ['without metadata', { metadata: undefined }],
  ['with metadata that is not JSON', { metadata: Buffer.from('{') }],
  ['with the metadata of another application', { metadata: { $correlationId: 'x', userId: 7 } }],
  ['with metadata that lacks the schema version', { metadata: { ...metadata, schemaVersion: undefined } }],
  ['with metadata that lacks the actor', { metadata: { ...metadata, actor: null } }],
  ['that is binary', { isJson: false, data: Buffer.from([1, 2, 3]) }],
  ['whose data are not JSON', { data: '{"n":' }],
  ['whose data are a list', { data: [1] }],
  ['whose data are null', { data: null }],
  ['that is a link', { type: '$>', isJson: false, data: Buffer.from('0@other-1') }],
  ['that marks the stream as deleted', { type: '$streamDeleted' }],
  ['with a type that we never write', { type: 'some-thing.happened' }],
])('an event %s is not ours', (_, changes) => {
  expect(ownEvent({ ...own, ...changes })).toBeNull()
})

test('an event of others is logged and counted once, however often it is read', () => {
  const warn = vi.fn()
  const counted = vi.fn()
  const foreign = new ForeignEvents({ log: { warn } as unknown as Log, onForeignEvent: counted })
  const at = { stream: 'ledger-1', revision: 2, id: 'x', type: 'Other', recordedAt: '2026-01-01T00:00:00.000Z' }
  for (const position of ['1', '2', '1', '1', '2'] as Position[]) foreign.passOver({ ...at, position })
  expect(warn).toHaveBeenCalledTimes(2)
  expect(counted.mock.calls.map(([{ position }]) => position)).toEqual(['1', '2'])
})
