import { EventEmitter } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { AnswerStore } from '../../../capabilities/answerStore/answerStore.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { settlesWithin } from '../../../platform/clock/within.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import { mintRawKey } from '../../../platform/secrets/rawKeys.ts'
import { openTestDatabase } from '../../../test/support/databases/openTestDatabase.ts'
import { PATIENCE } from '../../../test/support/time/patience.ts'
import { BackgroundWork } from '../backgroundWork.ts'
import { Claims } from './claims.ts'

/** A caller waits for 3 s, and a busy machine takes several times as long. */
const TAKEN_OVER_MS_MAX = 10_000 * PATIENCE
/** Longer than it takes to find a holder silent. */
const LONG_MS = 5_000

let database: PostgresDatabase
let close: () => Promise<void>
let first: Claims
let second: Claims
let rawKey: string

beforeAll(async () => {
  ;({ database, close } = await openTestDatabase('migrated'))
})
afterAll(() => close())
beforeEach(() => {
  const { log } = openLog({ level: 'silent', file: null })
  const background = new BackgroundWork(systemClock)
  const open = () =>
    new Claims({ store: new AnswerStore(database, systemClock), clock: systemClock, ids: systemIds, background, log })
  first = open()
  second = open()
  rawKey = mintRawKey().raw
})
afterEach(() => {
  first.stop()
  second.stop()
})

const take = (claims: Claims) =>
  claims.take({
    rawKey,
    scope: ['a call'],
    body: Buffer.from('{}'),
    caller: Object.assign(new EventEmitter(), { destroyed: false }),
  })

test('the claim of a gateway that died is taken over within seconds, long before its lease ends', async () => {
  await take(first)
  first.stop()
  await database.query("update answer_store.claims set leased_to = clock_timestamp() + interval '1 hour'")
  const taken = take(second)
  expect(await settlesWithin(taken, TAKEN_OVER_MS_MAX, systemClock)).toBe(true)
  expect(await taken).toMatchObject({ kept: null })
})

test('the claim of a call in progress is not taken over, however long the call takes', async () => {
  const { claim } = await take(first)
  const waiting = take(second)
  expect(await settlesWithin(waiting, LONG_MS, systemClock)).toBe(false)
  await claim?.withdraw()
  expect(await waiting).toMatchObject({ kept: null })
})

test('a stalled gateway that recovers after its claim was taken over can no longer keep its answer', async () => {
  const { claim: stalled } = await take(first)
  first.stop()
  const { claim: heir } = await take(second)
  const charge = { callId: stalled?.callId } as never
  expect(await stalled?.keep(charge, { contentType: 'text/plain', bytes: Buffer.from('late') })).toBe(false)
  expect(await heir?.keep({ callId: heir.callId } as never, { contentType: 'text/plain', bytes: null })).toBe(true)
})

test('of several requests that wait for a dead call, one makes it again', async () => {
  await take(first)
  first.stop()
  const waiting = [1, 2, 3].map(() => take(second))
  const { claim } = await Promise.race(waiting)
  expect(claim).not.toBeNull()
  const others = await Promise.all(waiting.map((each) => settlesWithin(each, LONG_MS, systemClock)))
  expect(others.filter((isTaken) => isTaken)).toHaveLength(1)
  second.stop()
  await database.query('truncate answer_store.claims')
  await Promise.all(waiting)
})
