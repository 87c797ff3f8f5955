import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOM_EVENTS_MAX } from '../../../domain/meeting/decider.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { StoreUnavailable } from '../../../platform/eventStore/port.ts'
import { anEventOf } from '../../../test/support/events/history.ts'
import { type AiApp, startAiApp } from '../../../test/support/harness/aiApp.ts'

const PATH = '/api/events/room/destroyed'
const AT = '2026-03-01T10:45:00.000Z'
const valid = { event: 'room_destroyed', room: 'r', timestamp: AT }

let ai: AiApp
beforeAll(async () => {
  ai = await startAiApp()
})
afterAll(() => ai.close())

test('200, and with the creation of the room the meeting is recorded', async () => {
  const startedAt = '2026-03-01T10:00:00.000Z'
  await ai.post('/api/events/room/created', { event: 'room_created', room: 'daily', timestamp: startedAt })
  const { status, json } = await ai.post(PATH, { ...valid, room: 'daily' })
  expect([status, json]).toEqual([200, { received: true }])
  expect(ai.store.stored('meeting-daily')).toMatchObject([
    { type: 'RoomCreated' },
    { type: 'RoomDestroyed', data: { destroyedAt: AT } },
    { type: 'MeetingHeld', data: { room: 'daily', startedAt, endedAt: AT } },
  ])
})

test('200 with duplicate for a repeated event', async () => {
  await ai.post(PATH, { ...valid, room: 'twice' })
  expect((await ai.post(PATH, { ...valid, room: 'twice' })).json).toEqual({ received: true, duplicate: true })
})

test('400 for the event of a creation', async () => {
  const { status, json } = await ai.post(PATH, { ...valid, event: 'room_created' })
  expect([status, json.error]).toEqual([400, expect.stringContaining("'event'")])
})

test('401 without the internal token', async () => {
  expect((await ai.send(PATH, { body: valid })).status).toBe(401)
})

test('409 for a room that has reached its limit of events', async () => {
  const created = Array.from({ length: ROOM_EVENTS_MAX }, (_, n) => {
    const data = { room: 'full', createdAt: isoTime(n) }
    return anEventOf({ type: 'RoomCreated', data }, `event ${n}`)
  })
  ai.store.write('meeting-full', 'none', created)
  const { status, json } = await ai.post(PATH, { ...valid, room: 'full' })
  expect([status, json.error]).toEqual([409, expect.stringContaining('use another name')])
})

test('503 with retry-after while the event store is unavailable', async () => {
  ai.store.beforeRead = () => {
    throw new StoreUnavailable('connection refused')
  }
  const { status, json, headers } = await ai.post(PATH, valid)
  expect([status, headers['retry-after']]).toEqual([503, '5'])
  expect(json).toEqual({ error: 'The event could not be stored; send it again.' })
  ai.store.beforeRead = () => {}
})
