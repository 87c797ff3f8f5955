import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import { isBooked } from './isBooked.ts'
import type { CallCharge } from './keptAnswer.ts'

const charge = { companyId: 'company', callId: randomUUID(), finishedAt: '2026-03-01T12:00:00.000Z' } as CallCharge

/** A ledger as it is read from its end. */
function ledger(...events: [id: string, type: string, recordedAt: string][]) {
  const read: string[] = []
  const store = {
    readStream: async function* (stream: string) {
      expect(stream).toBe('ledger-company')
      for (const [id, type, recordedAt] of events) {
        read.push(id)
        yield { id, type, recordedAt } as RecordedEvent
      }
    },
  }
  return { store, read }
}

test('a charge is found even if the clock of its store is a little behind', async () => {
  const { store } = ledger(
    ['a', 'CallCharged', '2026-03-01T12:05:00.000Z'],
    [charge.callId, 'CallCharged', '2026-03-01T11:59:30.000Z'],
  )
  expect(await isBooked(store, charge)).toBe(true)
})

test('events older than the call are not read', async () => {
  const { store, read } = ledger(
    ['a', 'CallCharged', '2026-03-01T11:58:59.000Z'],
    [charge.callId, 'CallCharged', '2026-03-01T11:58:00.000Z'],
  )
  expect(await isBooked(store, charge)).toBe(false)
  expect(read).toEqual(['a'])
})

test('a failed call and an empty ledger have no charge', async () => {
  expect(await isBooked(ledger([charge.callId, 'CallFailed', '2026-03-01T12:00:00.000Z']).store, charge)).toBe(false)
  expect(await isBooked(ledger().store, charge)).toBe(false)
})
