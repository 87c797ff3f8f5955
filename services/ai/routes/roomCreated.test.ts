import { afterAll, beforeAll, expect, test } from 'vitest'
import { SERVICE_BODY_BYTES_MAX } from '../../../platform/http/body/bodyReaders.ts'
import { type AiApp, startAiApp } from '../../../test/support/harness/aiApp.ts'
import { ROOM_NAME_BYTES_MAX } from './roomEvents.ts'

const PATH = '/api/events/room/created'
const AT = '2026-03-01T10:00:00.000Z'
const valid = { event: 'room_created', room: 'r', timestamp: AT }

let ai: AiApp
beforeAll(async () => {
  ai = await startAiApp()
})
afterAll(() => ai.close())

test('200, and the event is stored in the stream of the room', async () => {
  const { status, json } = await ai.post(PATH, { ...valid, room: 'daily' })
  expect([status, json]).toEqual([200, { received: true }])
  expect(ai.store.stored('meeting-daily')).toMatchObject([
    { type: 'RoomCreated', data: { room: 'daily', createdAt: AT } },
  ])
})

test('200 with duplicate for the same event in another notation, and nothing is stored', async () => {
  await ai.post(PATH, { ...valid, room: 'twice' })
  const { status, json } = await ai.post(PATH, { ...valid, room: 'twice', timestamp: '2026-03-01T10:00:00+00:00' })
  expect([status, json]).toEqual([200, { received: true, duplicate: true }])
  expect(ai.store.stored('meeting-twice')).toHaveLength(1)
})

test.each<[string, object, string]>([
  ['another event', { ...valid, event: 'room_destroyed' }, "'event'"],
  ['no room', { event: 'room_created', timestamp: AT }, "'room'"],
  ['an empty room', { ...valid, room: '' }, "'room'"],
  ['a room name of too many bytes', { ...valid, room: 'ü'.repeat(ROOM_NAME_BYTES_MAX / 2 + 1) }, "'room'"],
  ['a NUL in the room name', { ...valid, room: 'a\u0000' }, "'room'"],
  ['a room name that is not a string', { ...valid, room: 7 }, "'room'"],
  ['a time in another zone', { ...valid, timestamp: '2026-03-01T10:00:00+01:00' }, "'timestamp'"],
  ['a time without a zone', { ...valid, timestamp: '2026-03-01T10:00:00' }, "'timestamp'"],
  ['a text that is not a time', { ...valid, timestamp: 'yesterday' }, "'timestamp'"],
  ['a day that does not exist', { ...valid, timestamp: '2026-02-30T10:00:00Z' }, "'timestamp'"],
  ['a body that is not an object', [], 'The body'],
])('400 for %s', async (_, body, place) => {
  const { status, json } = await ai.post(PATH, body)
  expect([status, json.error]).toEqual([400, expect.stringContaining(place)])
})

test('401 without the internal token', async () => {
  expect((await ai.send(PATH, { body: valid })).status).toBe(401)
})

test('413 for a body above the limit', async () => {
  const body = { ...valid, room: 'r'.repeat(SERVICE_BODY_BYTES_MAX) }
  expect((await ai.post(PATH, body)).status).toBe(413)
})
