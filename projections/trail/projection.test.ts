import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { EVENT_CATALOGUE } from '../../contracts/events/catalogue.ts'
import { streamName } from '../../contracts/streams.ts'
import { everyStream } from '../../test/support/eventStores/everyStream.ts'
import {
  minted,
  revoked,
  userInvited,
  userRegistered,
  webhookEndpointCreated,
} from '../../test/support/events/controlEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { charged, granted, reversed } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { trail } from './projection.ts'
import { TRAIL_RECORDS, TRAIL_TYPES } from './trailRecords.ts'

const companyId = randomUUID()
const rowsOf = (...events: Parameters<typeof history>[1][]) => [
  ...applyEvents(trail, history(streamName('ledger', companyId), ...(events as never[]))).values(),
]

test('a grant for a purchase names the purchase, and says who caused it', () => {
  const purchaseId = randomUUID()
  const [row] = rowsOf(granted(companyId, { source: 'PACK_PURCHASE', reason: `purchase ${purchaseId}` }))
  expect(row).toMatchObject({
    type: 'CreditsGranted',
    companyId,
    purchaseId,
    invoiceId: null,
    actorKind: expect.stringMatching(/system|user|apiKey/),
    facts: { source: 'PACK_PURCHASE', reason: `purchase ${purchaseId}` },
  })
})

test('a manual grant names no purchase, whatever its reason says', () => {
  const [row] = rowsOf(granted(companyId, { source: 'ADJUSTMENT', reason: `purchase ${randomUUID()}` }))
  expect(row).toMatchObject({ purchaseId: null })
})

test('charged calls are not part of the trail, but their reversals are, without provider and cost', () => {
  const charge = charged(companyId)
  const rows = rowsOf(charge, reversed(charge))
  expect(rows.map(({ type }) => type)).toEqual(['ChargeReversed'])
  expect(JSON.stringify(rows)).not.toMatch(/provider|cost/i)
})

test('events of a key after the first one name no company', () => {
  const keyId = randomUUID()
  const events = history(streamName('apiKey', keyId), minted(keyId, { companyId }), revoked(keyId))
  const rows = [...applyEvents(trail, events).values()]
  expect(rows.map((row) => [row.type, row.companyId, row.keyId])).toEqual([
    ['ApiKeyMinted', companyId, keyId],
    ['ApiKeyRevoked', null, keyId],
  ])
})

test('neither personal fields nor secrets nor their hashes reach the trail', () => {
  const userId = randomUUID()
  const endpoint = webhookEndpointCreated(companyId, randomUUID())
  const events = [userInvited(companyId, randomUUID()), endpoint]
  const company = history(streamName('company', companyId), ...events)
  const user = history(streamName('user', userId), userRegistered(userId, companyId))
  const key = history(streamName('apiKey', userId), minted(userId, { companyId }))
  const kept = JSON.stringify([...applyEvents(trail, [...company, ...user, ...key]).values()])
  const secrets = [...company, ...user, ...key].flatMap(({ type, data }) =>
    Object.entries(data)
      .filter(([field]) => SECRET_FIELD.test(field) || EVENT_CATALOGUE[type]?.personal.includes(field))
      .map(([, value]) => String(value)),
  )
  expect(secrets.length).toBeGreaterThan(5)
  for (const secret of secrets) expect(kept).not.toContain(secret)
})

const SECRET_FIELD = /hash|lookup|secret|email|body|^url$/i

test('no record keeps a personal field or one that looks like a secret', () => {
  for (const { stream, events } of everyStream()) {
    for (const row of applyEvents(trail, history(stream, ...(events as never[]))).values()) {
      const { personal = [] } = EVENT_CATALOGUE[row.type] ?? {}
      const shown = Object.keys(row.facts)
      expect(shown.filter((name) => SECRET_FIELD.test(name) || personal.includes(name))).toEqual([])
    }
  }
})

test('every event type is either recorded or omitted on purpose', () => {
  expect(Object.keys(TRAIL_RECORDS).toSorted()).toEqual(Object.keys(EVENT_CATALOGUE).toSorted())
  expect(TRAIL_TYPES).not.toContain('CallCharged')
})
