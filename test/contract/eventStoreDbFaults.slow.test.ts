import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LedgerWriter } from '../../capabilities/ledger/ledgerWriter.ts'
import type { CallFacts } from '../../contracts/events/ledger.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import type { Engines } from '../../platform/engines.ts'
import { openEventStoreDb } from '../../platform/eventStore/eventStoreDb/eventStoreDb.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import { withUpcasting } from '../../platform/eventStore/upcasting.ts'
import { storeFeed } from '../../platform/feed/storeFeed.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { balanceOf } from '../../projections/creditBalances/queries.ts'
import { creditTransactions } from '../../projections/creditTransactions/projection.ts'
import { hashProjection } from '../../projections/runner/hash.ts'
import { usage } from '../../projections/usage/projection.ts'
import { auditCompany } from '../../scripts/audit/compare.ts'
import { BalanceView } from '../../services/gateway/views/balances.ts'
import { ReadModels } from '../support/databases/readModels.ts'
import type { FaultPlan } from '../support/eventStores/eventStoreNode/faults.ts'
import { EventStoreNode } from '../support/eventStores/eventStoreNode/node.ts'
import { collect } from '../support/events/events.ts'
import { chargeCall } from '../support/events/ledgerCommands.ts'
import { UNATTRIBUTED } from '../support/events/ledgerEvents.ts'
import { until } from '../support/time/until.ts'

const AT = '2026-03-01T10:00:30.000Z'
const ACTOR = { kind: 'system', name: 'test' } as const
const CALLS = 60
const GRANT_MICROS = 1_000_000n
const CALL_MICROS = 7n

let folder: string
let node: EventStoreNode
let models: ReadModels
let gateways: TypedEventStore[]
const companies = [randomUUID(), randomUUID()] as const

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'event-store-node-'))
  node = await EventStoreNode.start({ file: join(folder, 'events') })
  models = await ReadModels.open()
  const log = pino({ enabled: false })
  gateways = [0, 1].map(() =>
    withUpcasting(
      openEventStoreDb(node.url, {
        clock: systemClock,
        ids: systemIds,
        prefix: 'tollgate.',
        log,
        appendTimeoutMs: 700,
      }),
    ),
  )
})
afterEach(async () => {
  await models.close()
  for (const store of gateways) await store.close()
  await node.stop()
  await rm(folder, { recursive: true })
})

const FAULTS: [string, FaultPlan, { forgetsIds?: boolean }][] = [
  ['loses acknowledgements', { fault: 'loseAck', every: 10 }, {}],
  ['never answers', { fault: 'neverAnswer', every: 10 }, {}],
  ['drops the connection before it stores', { fault: 'dropBefore', every: 20 }, {}],
  ['drops the connection after it stored', { fault: 'dropAfter', every: 20 }, {}],
  ['restarts before it stores', { fault: 'restartBefore', every: 40 }, {}],
  ['restarts after it stored', { fault: 'restartAfter', every: 40 }, {}],
  ['forgets event ids and loses acknowledgements', { fault: 'loseAck', every: 10 }, { forgetsIds: true }],
  ['forgets event ids and drops connections', { fault: 'dropAfter', every: 20 }, { forgetsIds: true }],
]

describe.each(FAULTS)('while the event store %s', (_, plan, { forgetsIds = false }) => {
  test('every call is charged once, by fold, read models, audit and view', async () => {
    const [store] = gateways as [TypedEventStore]
    const feed = storeFeed(store)
    const runners = [creditBalances, creditTransactions, usage].map((model) => models.run(model, { feed }))
    const view = new BalanceView({ idsAreUnique: feed.idsAreUnique })
    const end = new AbortController()
    const viewing = (async () => {
      const subscription = { after: BEGINNING, categories: ['ledger'] as const, signal: end.signal }
      for await (const { events } of store.subscribe(subscription)) for (const event of events) view.apply(event)
    })()

    node.faults.forgetsIds = forgetsIds
    const ledgers = gateways.map((gateway) => new LedgerWriter(new PursuingAppender(gateway, systemClock, 50_000)))
    await Promise.all(companies.map((companyId, n) => grant(ledgers[n % 2] as LedgerWriter, companyId)))
    node.faults.arm(plan)
    await Promise.all(
      Array.from({ length: CALLS }, (_, n) => charge(ledgers[n % 2] as LedgerWriter, companies[n % 4 < 2 ? 0 : 1], n)),
    )
    expect(node.faults.struck.get(plan.fault)).toBeGreaterThan(0)
    node.faults.disarm()

    const expected = GRANT_MICROS - (BigInt(CALLS) / 2n) * CALL_MICROS
    const head = await store.head()
    for (const model of [creditBalances, creditTransactions, usage]) {
      await until(`${model.name} has passed ${head}`, async () => ((await models.position(model)) ?? BEGINNING) >= head)
    }
    let copies = 0
    for (const companyId of companies) {
      const stored = await collect(store.readStream(streamName('ledger', companyId)))
      const calls = stored.filter((event) => event.type === 'CallCharged')
      copies += calls.length
      expect(new Set(calls.map(({ data }) => data.callId)).size).toBe(CALLS / 2)
      expect((await balanceOf(models.database, companyId))?.balanceMicros).toBe(expected.toString())
      const audit = await auditCompany({ database: models.database, store } as unknown as Engines, companyId, null)
      expect(audit.firstDifference).toBeNull()
      expect(audit.replay.state.chargesMicros).toBe((BigInt(CALLS) / 2n) * CALL_MICROS)
      await until('the view has it all', () => view.balanceMicros(companyId) === expected)
    }
    // A node that forgets ids really stores copies, which the counts above must ignore.
    if (forgetsIds) expect(copies).toBeGreaterThan(CALLS)
    const requests = await models.database.query(
      "select sum(requests) as n from read_models.usage where granularity = 'day'",
    )
    expect(Number(requests[0]?.n)).toBe(CALLS)

    for (const model of [creditBalances, creditTransactions, usage]) {
      const before = await hashProjection(models.database, model)
      await models.rebuild(model, { source: store, idsAreUnique: feed.idsAreUnique })
      expect(await hashProjection(models.database, model)).toEqual(before)
    }
    end.abort()
    await viewing
    for (const runner of runners) await runner.stop()
  })
})

function grant(ledger: LedgerWriter, companyId: string) {
  const draft = ledger.draft({
    type: 'GrantCredits',
    companyId,
    grantId: randomUUID(),
    source: 'ADJUSTMENT',
    amountMicros: GRANT_MICROS,
    reason: 'a test',
    at: AT,
  })
  return ledger.book(draft, randomUUID(), ACTOR)
}

/** One in ten is booked twice, as after a lost answer. */
async function charge(ledger: LedgerWriter, companyId: string, n: number): Promise<void> {
  const call: CallFacts = {
    companyId,
    callId: randomUUID(),
    keyId: companyId,
    alias: 'svc/chat-default',
    endpoint: '/chat/completions',
    streamed: false,
    admittedAt: AT,
    finishedAt: AT,
    ...UNATTRIBUTED,
  }
  const price = { bookId: companyId, rates: { input: '1000000', output: '1000000' } }
  const draft = ledger.draft(chargeCall(call, price, { tokensIn: 3, tokensOut: 4 }))
  await ledger.book(draft, call.callId, ACTOR)
  if (n % 10 === 0) await ledger.book(draft, call.callId, ACTOR)
}
