import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { isRestored, restoredEvent, savedEvent } from './savedEvent.ts'

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('a backup does not keep the trace of an event, and the restored event without it equals the saved one', () => {
  const { metadata, ...event } = anEvent()
  const place = { stream: 'ledger-a', revision: 0, position: '1' as Position, recordedAt: '2026-01-01T00:00:00.000Z' }
  const traced: RecordedEvent = { ...event, ...place, metadata: { ...metadata, traceparent: TRACEPARENT } }
  const saved = savedEvent(traced)
  expect(saved.metadata).toEqual(metadata)
  const restored = { ...restoredEvent(saved), ...place, recordedAt: '2026-02-01T00:00:00.000Z' }
  expect(restored.metadata).not.toHaveProperty('traceparent')
  expect(isRestored(saved, restored)).toBe(true)
})
