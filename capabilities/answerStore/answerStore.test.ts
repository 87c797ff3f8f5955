import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PostgresDatabase } from '../../platform/postgres/database.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import { answersContract } from '../../test/contract/answers.ts'
import { openTestDatabase } from '../../test/support/databases/openTestDatabase.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { ANSWER_STORE_MS, AnswerStore, type ClaimRequest, KEPT_ANSWER_MS } from './answerStore.ts'

const NOW_MS = Date.UTC(2026, 2, 1, 12)
let database: PostgresDatabase
let close: () => Promise<void>
let store: AnswerStore

beforeAll(async () => {
  ;({ database, close } = await openTestDatabase('migrated'))
  store = new AnswerStore(database, new ManualClock())
})
afterAll(() => close())

answersContract('the answer store in Postgres', async () => ({
  store,
  endLease: (scope, agoMs) =>
    database.query(
      "update answer_store.claims set leased_to = clock_timestamp() - $2 * interval '1 ms' where scope = $1",
      [scope, agoMs],
    ),
  leaseLeftMs: async (scope) => {
    const sql =
      'select extract(epoch from leased_to - clock_timestamp()) * 1000 as ms from answer_store.claims where scope = $1'
    return Number((await database.query<{ ms: string }>(sql, [scope]))[0]?.ms)
  },
  close: async () => {},
}))

const request = (scope: string, nowMs = NOW_MS): ClaimRequest => ({
  ...{ scope, fingerprint: 'a body', callId: randomUUID(), holder: randomUUID(), nowMs },
})

test('removeExpired deletes a limited number of expired claims and nothing else', async () => {
  await database.query('truncate answer_store.claims')
  for (let n = 0; n < 5; n++) await store.claim(request(`old ${n}`))
  await store.claim(request('new', NOW_MS + 1))
  const endMs = NOW_MS + KEPT_ANSWER_MS
  expect(await store.removeExpired(endMs - 1, 3)).toBe(0)
  expect([await store.removeExpired(endMs, 3), await store.removeExpired(endMs, 3)]).toEqual([3, 2])
  expect(await database.query('select scope from answer_store.claims')).toEqual([{ scope: 'new' }])
})

test('a query times out if the database does not answer', async () => {
  const clock = new ManualClock()
  const silent = new AnswerStore({ query: () => new Promise(() => {}) } as Sql, clock)
  const claimed = expect(silent.claim(request('a scope'))).rejects.toThrow('no answer')
  await clock.advance(ANSWER_STORE_MS)
  await claimed
})
