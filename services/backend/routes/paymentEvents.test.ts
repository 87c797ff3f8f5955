import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EventData } from '../../../contracts/events/eventsByCategory.ts'
import { streamName } from '../../../contracts/streams.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { PostgresEventStore } from '../../../platform/eventStore/postgres/postgresEventStore.ts'
import { withUpcasting } from '../../../platform/eventStore/upcasting.ts'
import { createApp } from '../../../platform/http/createApp.ts'
import { serviceGuards } from '../../../platform/http/guards.ts'
import { listen } from '../../../platform/http/httpServer.ts'
import { openDatabase } from '../../../platform/postgres/database.ts'
import { collect } from '../../../test/support/events/events.ts'
import { type BackendHarness, startBackendHarness } from '../../../test/support/harness/backendHarness.ts'
import { deliver, providerEvent, signed } from '../../../test/support/parties/paymentEventDelivery.ts'
import { steppedClock } from '../../../test/support/time/steppedClock.ts'
import { paymentEventRoute } from './paymentEvents.ts'

const NOW_SECONDS = Date.UTC(2026, 2, 1, 10) / 1_000
const REFUSED = 'Webhook Error: No valid stripe-signature header'

const clock = steppedClock(NOW_SECONDS * 1_000)
let backend: BackendHarness
beforeAll(async () => {
  backend = await startBackendHarness({ clock })
})
afterAll(() => backend.close())

const eventsOf = (id: string) => collect(backend.runtime.engines.store.readStream(streamName('webhook', id)))
/** The data of the stored event, which must be the first of its stream. */
async function receivedOf(id: string): Promise<EventData<'WebhookReceived'>> {
  const [event] = await eventsOf(id)
  if (event?.type !== 'WebhookReceived') throw new Error(`payment event ${id} was not received`)
  return event.data
}
const paid = (metadata: object = {}) => providerEvent('invoice.paid', { id: 'in_1', metadata })
const send = (event: object, at = NOW_SECONDS) => {
  const body = JSON.stringify(event)
  return deliver(backend.url, body, signed(body, at))
}

describe('200: a delivery signed by the provider', () => {
  test('is stored before it is answered, its body sealed', async () => {
    const event = paid()
    expect(await send(event)).toMatchObject({ status: 200, text: '{"received":true}' })
    const [stored, ...others] = await eventsOf(event.id)
    expect(others).toEqual([])
    expect(stored).toMatchObject({
      type: 'WebhookReceived',
      data: { eventId: event.id, type: 'invoice.paid', userId: null },
    })
    expect(JSON.stringify(stored)).not.toContain('in_1')
    const body = await backend.runtime.engines.personal.reveal((await receivedOf(event.id)).body)
    expect(JSON.parse(body)).toEqual(event)
  })

  test('is stored once, also when it arrives many times at once with different bytes', async () => {
    const event = paid()
    const answers = await Promise.all([0, 1, 2, 3].map((pending) => send({ ...event, pending_webhooks: pending })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers.filter(({ text }) => text === '{"received":true}')).toHaveLength(1)
    expect(answers.filter(({ text }) => text === '{"received":true,"duplicate":true}')).toHaveLength(3)
    expect((await send(event)).text).toBe('{"received":true,"duplicate":true}')
    expect(await eventsOf(event.id)).toHaveLength(1)
  })

  test('of a type that is not handled is acknowledged and not stored', async () => {
    const event = providerEvent('customer.created', { id: 'cus_1' })
    expect(await send(event)).toMatchObject({ status: 200, text: '{"received":true,"ignored":true}' })
    expect(await eventsOf(event.id)).toEqual([])
  })

  test('is accepted up to five minutes before and after its timestamp', async () => {
    expect((await send(paid(), NOW_SECONDS - 300)).status).toBe(200)
    expect((await send(paid(), NOW_SECONDS + 300)).status).toBe(200)
  })
})

describe('400: a delivery without a valid signature', () => {
  const body = JSON.stringify(paid())
  const header = signed(body, NOW_SECONDS)

  test.each<[string, string, string | null, RegExp]>([
    ['without the header', body, null, /missing/],
    ['with an empty header', body, '', /missing/],
    ['with a header without fields', body, 'hello', /one timestamp/],
    ['with another body', body.replace('in_1', 'in_2'), header, /no signature matches/],
    ['with one more byte', `${body} `, header, /no signature matches/],
    ['with a byte order mark', `\ufeff${body}`, header, /no signature matches/],
    [
      'with another timestamp',
      body,
      header.replace(String(NOW_SECONDS), String(NOW_SECONDS + 1)),
      /no signature matches/,
    ],
    ['with two timestamps', body, `t=${NOW_SECONDS},${header}`, /one timestamp/],
    ['signed with another secret', body, signed(body, NOW_SECONDS, 'whsec_other'), /no signature matches/],
    ['signed by another scheme only', body, header.replace('v1=', 'v0='), /no v1 signature/],
    ['signed too long ago', body, signed(body, NOW_SECONDS - 301), /too old/],
    ['signed in the future', body, signed(body, NOW_SECONDS + 301), /future/],
  ])('%s is refused, and nothing is stored', async (_, payload, signature, reason) => {
    const { status, text, type } = await deliver(backend.url, payload, signature)
    expect(status).toBe(400)
    expect(text.startsWith(`${REFUSED}: `)).toBe(true)
    expect(text).toMatch(reason)
    expect(type).toContain('text/plain')
    expect(await eventsOf(JSON.parse(body).id)).toEqual([])
  })
})

test('400: an event of another API version, and a body that is not an event', async () => {
  const other = await send({ ...paid(), api_version: '2024-06-20' })
  expect(other.status).toBe(400)
  expect(other.text).toMatch(/^Webhook Error: the event is of API version 2024-06-20/)
  expect(await send({ hello: 1 })).toMatchObject({
    status: 400,
    text: 'Webhook Error: the body is not an event object, because of id, type, created, data',
  })
  expect(await send([])).toMatchObject({ status: 400, text: 'Webhook Error: the body is not an event object' })
})

test.each([
  ['an empty id', { id: '' }],
  ['an id with a NUL', { id: 'evt_\u0000' }],
  ['an id with a space', { id: 'evt 1' }],
  ['an id of 201 characters', { id: `evt_${'x'.repeat(197)}` }],
  ['an id that is a path', { id: '../../evt_1' }],
  ['a time after the year 9999', { created: 253_402_300_800 }],
  ['a time that no clock can show', { created: Number.MAX_SAFE_INTEGER }],
])('400: a signed event with %s, which is not stored', async (_, changes) => {
  const before = await backend.runtime.engines.store.head()
  expect(await send({ ...paid(), ...changes })).toMatchObject({
    status: 400,
    text: `Webhook Error: the body is not an event object, because of ${Object.keys(changes)[0]}`,
  })
  expect(await backend.runtime.engines.store.head()).toBe(before)
})

test('413: a body over 512 KiB, signed or not', async () => {
  const body = JSON.stringify(paid({ note: 'x'.repeat(512 * 1024) }))
  expect((await deliver(backend.url, body, signed(body, NOW_SECONDS))).status).toBe(413)
})

test('503 while the event store does not answer, so that the provider sends the event again', async () => {
  const { runtime } = backend
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing' })
  const store = withUpcasting(new PostgresEventStore(database, systemClock))
  const routes = [paymentEventRoute({ ...runtime, engines: { ...runtime.engines, store } })]
  const handler = createApp({ ...runtime, routes, guards: serviceGuards('') })
  const server = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'BACKEND_PORT' })
  const body = JSON.stringify(paid())
  const answer = await deliver(server.url, body, signed(body, NOW_SECONDS))
  expect(answer.status).toBe(503)
  expect(answer.text).toMatch(/^Webhook Error: the event could not be stored/)
  await server.drain(100)
  await store.close()
  await database.close()
})

describe('an event about a user', () => {
  test('cannot be read after the user is erased', async () => {
    const userId = randomUUID()
    const event = paid({ userId })
    await send(event)
    const { personal } = backend.runtime.engines
    const stored = await receivedOf(event.id)
    expect(stored.userId).toBe(userId)
    await personal.erase(`user-${userId}`)
    expect(await personal.reveal(stored.body)).toBe('[erased]')
  })

  test('who was erased before is stored without their personal data', async () => {
    const userId = randomUUID()
    const { personal } = backend.runtime.engines
    await personal.erase(`user-${userId}`)
    const object = { id: 'cs_1', metadata: { userId }, customer_details: { email: 'ada@example.com' } }
    const event = providerEvent('checkout.session.completed', object)
    expect((await send(event)).status).toBe(200)
    const body = await personal.reveal((await receivedOf(event.id)).body)
    expect(JSON.parse(body).data.object).toEqual({ id: 'cs_1', metadata: { userId }, customer_details: null })
  })
})
