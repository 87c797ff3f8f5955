import { beforeEach, describe, expect, test } from 'vitest'
import { LedgerWriter } from '../../../../capabilities/ledger/ledgerWriter.ts'
import { isoTime } from '../../../../platform/clock/clock.ts'
import { EventRefused } from '../../../../platform/eventStore/port.ts'
import { PursuingAppender } from '../../../../platform/eventStore/pursuit.ts'
import { systemIds } from '../../../../platform/ids/ids.ts'
import { MemoryEventStore } from '../../../../test/support/eventStores/memoryEventStore.ts'
import { ManualClock } from '../../../../test/support/time/manualClock.ts'
import type { GraphqlContext } from '../context.ts'
import { type GrantRequest, grantCredits } from './grantCredits.ts'

const [COMPANY, OTHER_COMPANY] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
const [ADMIN, OTHER_ADMIN] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']
const DAY_MS = 24 * 60 * 60 * 1_000

let store: MemoryEventStore
let clock: ManualClock
beforeEach(() => {
  store = new MemoryEventStore()
  clock = new ManualClock()
})

const grants = (companyId = COMPANY) => store.stored(`ledger-${companyId}`)

/** The read models show every event, and each request comes to a backend that has just been started. */
function contextOf(userId: string): GraphqlContext {
  const shown = (companyId: unknown, id: unknown) =>
    grants(String(companyId)).flatMap((event) => (event.id === id ? [{ revision: String(event.revision) }] : []))
  const database = {
    query: async (sql: string, [first, second]: unknown[]) =>
      sql.includes('credit_transactions')
        ? shown(first, second)
        : [{ partition: 'all', version: 1, position: await store.head() }],
  }
  const engines = {
    ...{ store, database, ledger: new LedgerWriter(new PursuingAppender(store, clock)) },
    ...{ feed: { partitionOf: () => 'all' }, sharedState: { companyChanges: { record: async () => {} } } },
  }
  const runtime = { clock, ids: systemIds, engines }
  return { runtime, correlationId: 'a request', user: { userId } } as unknown as GraphqlContext
}

const GRANT: GrantRequest = {
  companyId: COMPANY,
  amountMicros: 2_500_000n,
  reason: 'a gift',
  expiresAt: null,
  isPromotional: false,
  idempotencyKey: 'order 7',
}
const grant = (changes: Partial<GrantRequest> = {}, userId = ADMIN) =>
  grantCredits(contextOf(userId), { ...GRANT, ...changes })
const CONFLICT = { name: 'Refusal', code: 'CONFLICT', message: 'idempotencyKey order 7 was used for another grant' }

describe('a grant under an idempotency key', () => {
  test('has an id that follows from company and key alone, on any day, for any admin and in any version', async () => {
    const first = await grant()
    // A retry after an upgrade must find the grant, so this id must never change.
    expect(first.id).toBe('6d579dcb-5108-5076-8ad1-b8c95df6bfd5')
    await clock.advance(400 * DAY_MS)
    expect(await grant({}, OTHER_ADMIN)).toEqual(first)
    expect(grants()).toMatchObject([{ id: first.id, metadata: { actor: { kind: 'user', id: ADMIN } } }])
  })

  test('is another grant for another company or another key, also in upper case', async () => {
    const ids = new Set<string>()
    for (const changes of [
      {},
      { companyId: OTHER_COMPANY },
      { idempotencyKey: 'Order 7' },
      { idempotencyKey: 'order' },
    ]) {
      ids.add((await grant(changes)).id)
    }
    expect(ids.size).toBe(4)
    expect([grants().length, grants(OTHER_COMPANY).length]).toEqual([3, 1])
  })

  test('is made once with other amounts at the same moment, and the others are refused', async () => {
    const [first, ...others] = await Promise.allSettled([1n, 2n, 3n].map((amountMicros) => grant({ amountMicros })))
    expect(first).toMatchObject({ status: 'fulfilled', value: { data: { amountMicros: '1' } } })
    expect(others).toMatchObject([{ reason: CONFLICT }, { reason: CONFLICT }])
    expect(grants()).toHaveLength(1)
  })

  test('with other terms is refused, and the same one is found also when the credits have expired', async () => {
    const expiresAt = isoTime(clock.now() + DAY_MS)
    const terms = { expiresAt, isPromotional: true }
    const first = await grant(terms)
    expect(first.data).toMatchObject({ source: 'PROMOTION', lot: { priority: 1, expiresAt, rollover: null } })
    const later = isoTime(clock.now() + 2 * DAY_MS)
    for (const changes of [{ expiresAt: null }, { expiresAt: later }, { isPromotional: false }]) {
      await expect(grant({ ...terms, ...changes })).rejects.toMatchObject(CONFLICT)
    }
    await clock.advance(2 * DAY_MS)
    expect(await grant(terms)).toEqual(first)
    expect(grants()).toHaveLength(1)
  })

  test('is found by the read model once the store has forgotten its id', async () => {
    store = new MemoryEventStore({ idsAreUnique: false })
    const first = await grant()
    expect(await grant()).toEqual(first)
    await expect(grant({ amountMicros: 1n })).rejects.toMatchObject(CONFLICT)
    expect(grants()).toHaveLength(1)
  })

  test('that was refused does not use up its key', async () => {
    await expect(grant({ amountMicros: 0n })).rejects.toMatchObject({ code: 'INVALID' })
    store.failNext(async () => {
      throw new EventRefused('too large')
    })
    await expect(grant({ amountMicros: 1n })).rejects.toThrow(EventRefused)
    expect(await grant()).toMatchObject({ data: { amountMicros: '2500000' } })
  })
})

test('a grant that has expired already is refused', async () => {
  const expired = { expiresAt: isoTime(clock.now()), idempotencyKey: null }
  await expect(grant(expired)).rejects.toMatchObject({
    code: 'INVALID',
    message: expect.stringMatching(/cannot expire before/),
  })
})

test('every grant without an idempotency key is made, also the same one again', async () => {
  const made = [await grant({ idempotencyKey: null }), await grant({ idempotencyKey: null })]
  expect(grants()).toEqual(made)
})
