import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { streamName } from '../../contracts/streams.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { collect } from '../support/events/events.ts'
import { anEventOf } from '../support/events/history.ts'
import { charged, granted } from '../support/events/ledgerEvents.ts'
import type { Person } from '../support/harness/backendHarness.ts'
import { startWorkersHarness, type WorkersHarness } from '../support/harness/workersHarness.ts'
import { answering, startWebhookReceiver, type WebhookReceiver } from '../support/parties/webhookReceiver.ts'
import { until } from '../support/time/until.ts'

type Delivery = { id: string; messageId: string; state: string; attempts: number; lastStatus: number; number: number }

let harness: WorkersHarness
let receiver: WebhookReceiver
let companyId: string
let admin: Person
let companies = 0
beforeAll(async () => {
  // Only a sandbox sends to this machine without TLS, also one on production engines.
  harness = await startWorkersHarness({}, { SANDBOX: '1' })
  receiver = await startWebhookReceiver()
})
afterAll(async () => {
  await harness.close()
  await receiver.close()
})
beforeEach(async () => {
  companyId = await harness.registerCompany()
  admin = await harness.register(`admin@hooks-${companies++}.example`, companyId)
})

const ask = (query: string, token = admin.token) => harness.ask(query, {}, token)
const create = (url: string, types = '["balance.low", "balance.exhausted"]') =>
  ask(`mutation { createWebhookEndpoint(url: "${url}", types: ${types}) { endpoint { id url types } secret } }`)
/** An endpoint with its own path at the receiver. */
async function endpoint() {
  const path = `/${companyId}`
  const { data } = await create(receiver.url + path)
  const { endpoint: created, secret } = data.createWebhookEndpoint
  return { id: created.id as string, path, secret: secret as string }
}
const deliveries = async (endpointId: string): Promise<Delivery[]> => {
  const fields = 'id messageId type number state attempts lastStatus lastError lastAttemptAt nextAttemptAt createdAt'
  return (await ask(`{ webhookDeliveries(endpointId: "${endpointId}") { ${fields} } }`)).data.webhookDeliveries
}
const delivered = (endpointId: string, count: number) =>
  until(`${count} messages are delivered`, async () => {
    const all = await deliveries(endpointId)
    return all.length === count && all.every(({ state }) => state === 'DELIVERED') && all
  })
const book = (...events: LedgerEvent[]) =>
  harness.runtime.engines.store.append(
    streamName('ledger', companyId),
    'any',
    events.map((event) => anEventOf(event)),
  )
const now = () => isoTime(harness.clock.now())
const useUp = () =>
  book(
    granted(companyId, { amountMicros: '1000000', grantedAt: now() }),
    charged(companyId, { amountMicros: '950000', finishedAt: now() }),
    charged(companyId, { amountMicros: '60000', finishedAt: now() }),
  )

test('an admin creates an endpoint, and its receiver verifies what arrives', async () => {
  const { id, path, secret } = await endpoint()
  await useUp()
  const all = await delivered(id, 2)
  const messages = receiver.at(path).map(({ headers, body }) => {
    // As a receiver does it: throws unless signature and time are right.
    const message = new Webhook(secret).verify(body, headers) as { type: string; number: number; data: object }
    return { id: headers['webhook-id'] ?? '', ...message }
  })
  messages.sort((a, b) => a.number - b.number)
  expect(messages.map(({ type, number }) => [number, type])).toEqual([
    [1, 'balance.low'],
    [2, 'balance.exhausted'],
  ])
  expect(messages[1]?.data).toEqual({ companyId, credits: -0.01, amountMicros: '-10000' })
  const charges = await collect(harness.runtime.engines.store.readStream(streamName('ledger', companyId)))
  expect(messages.map((message) => message.id)).toEqual([charges[1]?.id, charges[2]?.id])
  expect(new Set(all.map(({ messageId }) => messageId))).toEqual(new Set(messages.map((message) => message.id)))
})

test('a secret is shown once, and neither listed nor stored in clear', async () => {
  const { id, secret } = await endpoint()
  const listed = await ask('{ webhookEndpoints { id url types createdAt disabledAt disabledReason } }')
  expect(listed.data.webhookEndpoints).toMatchObject([{ id, url: `${receiver.url}/${companyId}`, disabledAt: null }])
  const events = await collect(harness.runtime.engines.store.readStream(streamName('company', companyId)))
  const stored = JSON.stringify([events, listed.data])
  expect(stored).toContain('WebhookEndpointCreated')
  expect(stored).not.toContain(secret.slice('whsec_'.length))
})

test('a message that failed shows why, and is sent again when it is due or when an admin asks for it', async () => {
  const { id, path } = await endpoint()
  receiver.answer(path, answering(307, { location: `${receiver.url}/elsewhere` }))
  await book(
    granted(companyId, { grantedAt: now() }),
    charged(companyId, { amountMicros: '950000', finishedAt: now() }),
  )
  const [failed] = await until('an attempt failed', async () => {
    const all = await deliveries(id)
    return all[0]?.attempts === 1 && all
  })
  const lastError = 'the receiver answered 307; redirects are not followed'
  expect(failed).toMatchObject({ state: 'PENDING', lastStatus: 307, lastError, nextAttemptAt: expect.any(String) })
  expect(receiver.at('/elsewhere')).toEqual([])

  receiver.answer(path, answering(204))
  harness.clock.advance(10_000)
  await delivered(id, 1)
  const resent = await ask(`mutation { resendDelivery(id: "${failed?.id}") { id state } }`)
  expect(resent.data.resendDelivery).toEqual({ id: failed?.id, state: 'PENDING' })
  await until('it arrived again', async () => (await deliveries(id))[0]?.attempts === 3)
  const bodies = receiver.at(path).map(({ headers, body }) => headers['webhook-id'] + body)
  expect(bodies).toHaveLength(3)
  expect(new Set(bodies).size).toBe(1)
})

describe('an endpoint', () => {
  test('that is deleted gets nothing more, and its deliveries are not found', async () => {
    const { id, path } = await endpoint()
    expect((await ask(`mutation { deleteWebhookEndpoint(id: "${id}") }`)).data.deleteWebhookEndpoint).toBe(true)
    const next = await endpoint()
    await useUp()
    await delivered(next.id, 2)
    expect(receiver.at(path)).toHaveLength(2)
    expect((await ask(`{ webhookDeliveries(endpointId: "${id}") { id } }`)).code).toBe('NOT_FOUND')
    expect((await ask(`mutation { deleteWebhookEndpoint(id: "${id}") }`)).code).toBe('NOT_FOUND')
  })

  test('with a bad url or unknown types is BAD_USER_INPUT', async () => {
    const low = '["balance.low"]'
    for (const [url, types, message] of [
      ['not a url', low, /not a URL/],
      ['https://ada:secret@hooks.example', low, /user or a password/],
      ['http://169.254.169.254/', low, /not a public one/],
      ['https://hooks.example', '[]', /at least one/],
      ['https://hooks.example', '["balance.high"]', /is not one of/],
      [`https://hooks.example/${'a'.repeat(2_000)}`, low, /at most 2000 characters/],
    ] as const) {
      const { code, errors } = await create(url, types)
      expect(code).toBe('BAD_USER_INPUT')
      expect(errors?.[0].message).toMatch(message)
    }
  })
})
