import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EventOf } from '../../contracts/events/eventsByCategory.ts'
import { type Category, type StreamName, streamName } from '../../contracts/streams.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { purchaseCompleted, purchaseStarted } from '../../test/support/events/billingEvents.ts'
import { minted, registered, revoked, userRegistered } from '../../test/support/events/controlEvents.ts'
import { anEventOf } from '../../test/support/events/history.ts'
import { AT, charged, granted } from '../../test/support/events/ledgerEvents.ts'
import { trail } from './projection.ts'
import { type TrailQuery, trailPage } from './queries.ts'

const company = randomUUID()
const other = randomUUID()
const keyId = randomUUID()
const userId = randomUUID()
const purchaseId = randomUUID()
const buyer = { kind: 'user', id: userId } as const
const reactor = { kind: 'system', name: 'reactor' } as const

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
  const append = <C extends Category>(stream: StreamName<C>, event: EventOf<C>, cause: object = {}) => {
    const made = anEventOf(event)
    return models.store.append(stream, 'any', [{ ...made, metadata: { ...made.metadata, ...cause } }])
  }
  const password = (at: string) =>
    ({ type: 'PasswordChanged', data: { userId, passwordHash: at, changedAt: AT } }) as const
  const joined = { userId, companyId: other, passwordHash: 'x', joinedAt: AT }
  await append(streamName('company', company), registered(company))
  await append(streamName('company', other), registered(other))
  await append(streamName('apiKey', keyId), minted(keyId, { companyId: company }), { actor: buyer })
  await append(streamName('apiKey', keyId), revoked(keyId), { actor: reactor })
  await append(streamName('user', userId), userRegistered(userId, company))
  await append(streamName('user', userId), password('first'), { actor: buyer })
  const checkout = { correlationId: 'request', actor: buyer }
  const webhook = { correlationId: 'evt_1', actor: reactor }
  await append(streamName('purchase', purchaseId), purchaseStarted(purchaseId, company), checkout)
  await append(streamName('purchase', purchaseId), purchaseCompleted(purchaseId, company), webhook)
  const grant = granted(company, { source: 'PACK_PURCHASE', reason: `purchase ${purchaseId}` })
  await append(streamName('ledger', company), grant, webhook)
  const received = { eventId: 'evt_1', type: 'checkout.session.completed', userId: null, body: '{}' } as const
  const times = { saidAt: AT, receivedAt: AT }
  await append('webhook-evt_1', { type: 'WebhookReceived', data: { ...received, ...times } }, webhook)
  await append(streamName('user', userId), { type: 'UserJoined', data: joined })
  await append(streamName('user', userId), password('second'), { actor: buyer })
  await models.rebuild(trail)
})
afterAll(() => models.close())

const NO_FILTER: TrailQuery = {
  companyId: null,
  userId: null,
  keyId: null,
  purchaseId: null,
  invoiceId: null,
  correlationId: null,
  type: null,
  hidden: [],
  from: null,
  to: null,
  before: null,
  limit: 100,
}
const typesOf = async (query: Partial<TrailQuery>) =>
  (await trailPage(models.database, { ...NO_FILTER, ...query })).map(({ type }) => type)

test('a company sees what concerns it, its keys and its users while they belong to it, and nothing else', async () => {
  expect((await typesOf({ companyId: company })).toSorted()).toEqual([
    'ApiKeyMinted',
    'ApiKeyRevoked',
    'CompanyRegistered',
    'CreditsGranted',
    'PasswordChanged',
    'PurchaseCompleted',
    'PurchaseStarted',
    'UserRegistered',
  ])
  expect((await typesOf({ companyId: other })).toSorted()).toEqual([
    'CompanyRegistered',
    'PasswordChanged',
    'UserJoined',
  ])
})

test('without a company, the trail has the events of all and of the platform, newest first', async () => {
  const rows = await trailPage(models.database, NO_FILTER)
  expect(rows).toHaveLength(12)
  expect(rows.map((row) => row.recordedAt)).toEqual(
    rows
      .map((row) => row.recordedAt)
      .toSorted()
      .toReversed(),
  )
})

test('filtering by a purchase shows it from checkout to grant, with everything that the same requests caused', async () => {
  expect((await typesOf({ purchaseId })).toSorted()).toEqual([
    'CreditsGranted',
    'PurchaseCompleted',
    'PurchaseStarted',
    'WebhookReceived',
  ])
  expect(await typesOf({ companyId: company, purchaseId })).not.toContain('WebhookReceived')
  expect(await typesOf({ companyId: other, purchaseId })).toEqual([])
})

test('filtering by a user shows what they did and what concerns them, each event once', async () => {
  expect((await typesOf({ userId, companyId: company })).toSorted()).toEqual([
    'ApiKeyMinted',
    'PasswordChanged',
    'PurchaseStarted',
    'UserRegistered',
  ])
})

test('keys, correlation ids, types and times are filters too', async () => {
  expect((await typesOf({ keyId })).toSorted()).toEqual(['ApiKeyMinted', 'ApiKeyRevoked'])
  expect(await typesOf({ keyId, companyId: other })).toEqual([])
  expect(await typesOf({ correlationId: 'request' })).toEqual(['PurchaseStarted'])
  expect(await typesOf({ type: 'PasswordChanged', companyId: other })).toEqual(['PasswordChanged'])
  expect(await typesOf({ keyId, hidden: ['ApiKeyMinted'] })).toEqual(['ApiKeyRevoked'])
  expect(await typesOf({ to: '2020-01-01T00:00:00.000Z' })).toEqual([])
})

test('pages of any size add up to the whole trail', async () => {
  const whole = await trailPage(models.database, { ...NO_FILTER, companyId: company })
  const paged: typeof whole = []
  for (;;) {
    const last = paged.at(-1)
    const before = last ? { recordedAt: last.recordedAt, stream: last.stream, revision: last.revision } : null
    const rows = await trailPage(models.database, { ...NO_FILTER, companyId: company, before, limit: 3 })
    if (rows.length === 0) break
    paged.push(...rows)
  }
  expect(paged).toEqual(whole)
})

test('charged calls move the checkpoint of the trail without a transaction for each of them', async () => {
  const running = models.run(trail)
  for (let n = 0; n < 20; n++) await models.appendToLedger(company, charged(company))
  await models.caughtUp(trail)
  await running.stop()
  expect(running.advances.length).toBeGreaterThan(0)
  expect(running.advances.every(({ events }) => events === 0)).toBe(true)
})
