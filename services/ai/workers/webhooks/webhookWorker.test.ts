import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DeliveryRow, deliveriesOf, resendDelivery } from '../../../../capabilities/webhooks/deliveryTable.ts'
import { WEBHOOK_TRIED_MS } from '../../../../capabilities/webhooks/retrySchedule.ts'
import { WebhookClient } from '../../../../capabilities/webhooks/webhookClient.ts'
import { WebhookSecrets } from '../../../../capabilities/webhooks/webhookSecrets.ts'
import type { Recorded } from '../../../../contracts/envelope.ts'
import type { CompanyEvent } from '../../../../contracts/events/company.ts'
import type { NoticeType } from '../../../../contracts/noticeTypes.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { companyDecider } from '../../../../domain/company/decider.ts'
import { isoTime, systemClock } from '../../../../platform/clock/clock.ts'
import { systemIds } from '../../../../platform/ids/ids.ts'
import { registered, suspended, webhookEndpointCreated } from '../../../../test/support/events/controlEvents.ts'
import {
  openWorkerRunnerHarness,
  type WorkerRunnerHarness,
} from '../../../../test/support/harness/workerRunnerHarness.ts'
import {
  answering,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../../../test/support/parties/webhookReceiver.ts'
import { until } from '../../../../test/support/time/until.ts'
import type { Enrolment, Notice, Worker } from '../worker.ts'
import type { RunnerLimits, WorkerRunner } from '../workerRunner.ts'
import { enrolment } from './enrolDeliveries.ts'
import { WEBHOOK_RUNNER_LIMITS, type WebhookWorkerOptions, webhookWorker } from './webhookWorker.ts'

const DAY_MS = 24 * 60 * 60_000
const SECRETS = new WebhookSecrets(['a key that is long enough for a test'])

let bench: WorkerRunnerHarness
let receiver: WebhookReceiver
let enrolling: Enrolment
let companyId: string
const runners: WorkerRunner[] = []
beforeAll(async () => {
  // A transaction that needed a second connection would wait for it in vain.
  bench = await openWorkerRunnerHarness({ connectionsMax: 1 })
  receiver = await startWebhookReceiver()
  enrolling = enrolment({ engines: bench.engines, clock: bench.clock, ids: systemIds })
})
afterAll(async () => {
  await bench.close()
  await receiver.close()
})
beforeEach(async () => {
  companyId = randomUUID()
  await bench.append(streamName('company', companyId), registered(companyId, 'Acme'))
})
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.drain(0)
  await bench.engines.database.query('truncate platform.tasks, platform.webhook_deliveries')
})

const now = () => isoTime(bench.clock.now())
const database = () => bench.engines.database
/** An endpoint whose id is also its path at the receiver. */
async function endpoint(types: NoticeType[] = ['balance.low']): Promise<string> {
  const id = randomUUID()
  const { sealed: sealedSecret } = SECRETS.mint(id)
  const created = { url: `${receiver.url}/${id}`, types, sealedSecret, createdAt: now() }
  await bench.append(streamName('company', companyId), webhookEndpointCreated(companyId, id, created))
  return id
}
const notice = (type: NoticeType = 'balance.low'): Notice => ({
  ...{ messageId: randomUUID(), type, companyId, at: now(), data: { companyId } },
})
const report = async (...notices: Notice[]) => database().transaction(await enrolling.plan(notices))
const CLIENT = new WebhookClient({ clock: systemClock, rules: { allowsPrivate: true, allowsHttp: true } })
const run = (changes: Partial<WebhookWorkerOptions> = {}, limits: Partial<RunnerLimits> = WEBHOOK_RUNNER_LIMITS) => {
  const { engines, clock, log } = bench
  const worker = webhookWorker({ engines, client: CLIENT, secrets: SECRETS, clock, log, ...changes })
  const runner = bench.run(worker, limits)
  runners.push(runner)
  return runner
}
const received = (endpointId: string) =>
  receiver.at(`/${endpointId}`).map(({ headers, body }) => ({ id: headers['webhook-id'], ...JSON.parse(body) }))
const deliveries = (endpointId: string) => deliveriesOf(database(), endpointId, 100)
const settled = (endpointId: string, count = 1) =>
  until(`${count} deliveries of ${endpointId} are settled`, async () => {
    const rows = await deliveries(endpointId)
    return rows.length === count && rows.every(({ state }) => state !== 'PENDING') && rows
  })
const attempted = (endpointId: string, attempts: number) =>
  until(`attempt ${attempts} is recorded`, async () => {
    const [row] = await deliveries(endpointId)
    return row && row.attempts >= attempts && row
  })

test('each endpoint gets the messages of its types, numbered without gaps, each once', async () => {
  const low = await endpoint()
  const all = await endpoint(['balance.low', 'invoice.paid'])
  const notices = [notice(), notice('invoice.paid'), notice('key.expiring'), notice()]
  await report(...notices)
  await report(...notices)
  run()
  await settled(low, 2)
  await settled(all, 3)
  const byNumber = received(all).sort((a, b) => a.number - b.number)
  expect(byNumber.map(({ id }) => id)).toEqual([notices[0], notices[1], notices[3]].map((one) => one?.messageId))
  expect(byNumber.map(({ number }) => number)).toEqual([1, 2, 3])
  expect(new Set(byNumber.map(({ series }) => series)).size).toBe(1)
  expect(byNumber[1]).toMatchObject({ type: 'invoice.paid', timestamp: notices[1]?.at, data: { companyId } })
  expect(
    received(low)
      .map(({ number }) => number)
      .sort(),
  ).toEqual([1, 2])
})

test('an event that is reported to an endpoint needs one connection at a time', async () => {
  const id = await endpoint(['company.suspended'])
  const noticesOf = (event: Recorded<CompanyEvent>): Notice[] =>
    event.type === 'CompanySuspended' ? [{ ...notice('company.suspended'), messageId: event.id }] : []
  const reporter: Worker<'company'> = {
    ...{ name: 'email_worker', categories: ['company'], perform: async () => {} },
    consider: (event) => ({ tasks: [], notices: noticesOf(event) }),
  }
  runners.push(bench.run(reporter, {}, { enrolment: enrolling }))
  run()
  await bench.append(streamName('company', companyId), suspended(companyId))
  expect(await settled(id)).toMatchObject([{ state: 'DELIVERED', type: 'company.suspended', number: '1' }])
})

test('a failed message is retried over three days and then abandoned; it can be resent', async () => {
  const id = await endpoint()
  receiver.answer(`/${id}`, answering(500))
  await report(notice())
  run()
  const since = bench.clock.now()
  let row: DeliveryRow = await attempted(id, 1)
  while (row.state === 'PENDING') {
    expect(row).toMatchObject({ lastStatus: 500, lastError: 'the receiver answered 500', lastAttemptAt: now() })
    const next = Date.parse(row.nextAttemptAt ?? '')
    expect(next).toBeGreaterThan(bench.clock.now())
    bench.clock.set(next)
    row = await attempted(id, row.attempts + 1)
  }
  expect(row).toMatchObject({ state: 'FAILED', nextAttemptAt: null })
  expect(bench.clock.now() - since).toBe(WEBHOOK_TRIED_MS)
  expect(received(id)).toHaveLength(row.attempts)
  expect(new Set(received(id).map((message) => JSON.stringify(message))).size).toBe(1)

  receiver.answer(`/${id}`, answering(200))
  await database().transaction((sql) => resendDelivery(sql, row.deliveryId, now()))
  const [again] = await settled(id)
  expect(again).toMatchObject({ state: 'DELIVERED', lastStatus: 200, lastError: null, attempts: row.attempts + 1 })
  await database().transaction((sql) => resendDelivery(sql, row.deliveryId, now()))
  await until('it was delivered twice', async () => (await deliveries(id))[0]?.attempts === row.attempts + 2)
  expect(new Set(received(id).map((message) => JSON.stringify(message))).size).toBe(1)
  const parked = await database().query("select 1 from platform.tasks where status = 'parked'")
  expect(parked).toEqual([])
})

test('a transaction that fails after it has queued messages leaves none, and no gap in the numbers', async () => {
  const id = await endpoint()
  const one = notice()
  const store = await enrolling.plan([one])
  const failing = database().transaction(async (sql) => {
    await store(sql)
    throw new Error('the process dies')
  })
  await expect(failing).rejects.toThrow('the process dies')
  expect(await deliveries(id)).toEqual([])
  await report(one)
  run()
  await settled(id)
  expect(received(id)).toMatchObject([{ id: one.messageId, number: 1 }])
})

test('a message that waits for its next attempt can be sent at once', async () => {
  const id = await endpoint()
  receiver.answer(`/${id}`, answering(503))
  await report(notice())
  run()
  const row = await attempted(id, 1)
  receiver.answer(`/${id}`, answering(200))
  await database().transaction((sql) => resendDelivery(sql, row.deliveryId, now()))
  expect(await settled(id)).toMatchObject([{ state: 'DELIVERED', attempts: 2, sendings: 1 }])
})

test('an endpoint that does not answer does not delay others, even if more messages wait for it than there are slots', async () => {
  const dead = await endpoint()
  await report(...Array.from({ length: 8 }, () => notice()))
  let open = 0
  const send: WebhookClient['send'] = (message, signal) => {
    if (!message.url.endsWith(dead)) return CLIENT.send(message, signal)
    open++
    return new Promise(() => {})
  }
  run({ client: { send } }, { atOnceMax: 4, perQueueMax: 2 })
  await until('the dead one has its places', () => open === 2)
  const live = await endpoint()
  await report(notice(), notice(), notice())
  await settled(live, 3)
  expect(open).toBe(2)
})

test('a receiver that answers 410 is disabled: what waits for it is canceled, and nothing more is queued', async () => {
  const id = await endpoint()
  receiver.answer(`/${id}`, answering(410))
  await report(notice())
  run()
  expect(await settled(id)).toMatchObject([{ state: 'FAILED', lastStatus: 410, attempts: 1 }])
  const company = await bench.engines.commands.stateOf(companyDecider, streamName('company', companyId))
  expect(company).toMatchObject({ webhookEndpoints: { [id]: { disabled: { reason: expect.stringMatching(/410/) } } } })
  await report(notice())
  expect(await deliveries(id)).toHaveLength(1)
})

test('messages for an endpoint that was deleted or disabled meanwhile are canceled', async () => {
  const [deleted, disabled] = [await endpoint(), await endpoint()]
  await report(notice())
  const data = { companyId, reason: 'gone', disabledAt: now(), deletedAt: now() }
  const { reason, disabledAt, deletedAt } = data
  await bench.append(
    streamName('company', companyId),
    { type: 'WebhookEndpointDeleted', data: { companyId, endpointId: deleted, deletedAt } },
    { type: 'WebhookEndpointDisabled', data: { companyId, endpointId: disabled, reason, disabledAt } },
  )
  run()
  expect(await settled(deleted)).toMatchObject([
    { state: 'CANCELED', attempts: 0, lastError: 'the endpoint was deleted' },
  ])
  expect(await settled(disabled)).toMatchObject([{ state: 'CANCELED', lastError: 'gone' }])
  expect(received(deleted)).toEqual([])
})

test('a process that dies between the answer and its record leads to a repetition with the same id', async () => {
  const id = await endpoint()
  const one = notice()
  await report(one)
  const sent = Promise.withResolvers<string>()
  const send: WebhookClient['send'] = ({ messageId }) => {
    sent.resolve(messageId)
    return new Promise(() => {})
  }
  // It hangs with its only place taken, as if it were dead.
  run({ client: { send } }, { atOnceMax: 1 })
  expect(await sent.promise).toBe(one.messageId)
  await bench.expireLeases()
  run()
  expect(await settled(id)).toMatchObject([{ state: 'DELIVERED', attempts: 1 }])
  expect(received(id)).toMatchObject([{ id: one.messageId, number: 1 }])
})

test('a process that dies after it recorded a failed attempt causes no extra attempt', async () => {
  const id = await endpoint()
  receiver.answer(`/${id}`, answering(500))
  await report(notice())
  run()
  const { nextAttemptAt } = await attempted(id, 1)
  // As if the task had not been released.
  await until('the task is released', async () => {
    const rows = await database().query<{ dueAt: string }>('select due_at from platform.tasks')
    return rows[0]?.dueAt === nextAttemptAt
  })
  await database().query('update platform.tasks set due_at = $1', [now()])
  await until('the task was put off again', async () => {
    const rows = await database().query<{ dueAt: string }>('select due_at from platform.tasks')
    return rows[0]?.dueAt === nextAttemptAt
  })
  expect(received(id)).toHaveLength(1)
})

test('after the tables were emptied, what was delivered is not sent again, and the numbers begin a new series', async () => {
  const id = await endpoint()
  const one = notice()
  await report(one)
  run()
  await settled(id)
  await until('the task is done', async () => {
    const rows = await database().query<{ status: string }>('select status from platform.tasks')
    return rows[0]?.status === 'done'
  })
  await database().query(
    'truncate platform.tasks, platform.webhook_notices, platform.webhook_counters, platform.webhook_deliveries',
  )
  const next = notice()
  await report(one, next)
  await settled(id)
  const [first, second] = received(id)
  expect([first.id, second.id]).toEqual([one.messageId, next.messageId])
  expect([first.number, second.number]).toEqual([1, 1])
  expect(first.series).not.toBe(second.series)
})

test('a message that cannot be signed waits, and is not sent', async () => {
  const id = await endpoint()
  await report(notice())
  run({ secrets: new WebhookSecrets(['another key that is long enough, too']) })
  expect(await attempted(id, 1)).toMatchObject({ state: 'PENDING', lastError: 'the message could not be signed' })
  expect(received(id)).toEqual([])
})

test('an endpoint gets nothing that happened before it was created, and no balances of a postpaid company', async () => {
  const before = { ...notice(), at: isoTime(bench.clock.now() - DAY_MS) }
  const id = await endpoint(['balance.low', 'invoice.open'])
  await report(before)
  await bench.append(streamName('company', companyId), {
    type: 'BillingModeChanged',
    data: { companyId, billingMode: 'POSTPAID', planId: null, changedAt: now() },
  })
  await report(notice(), notice('invoice.open'))
  expect(await deliveries(id)).toMatchObject([{ type: 'invoice.open', number: '1' }])
})

test('deliveries are deleted after a month', async () => {
  const id = await endpoint()
  await report(notice())
  run()
  await settled(id)
  bench.clock.advance(31 * DAY_MS)
  await until('the delivery is deleted', async () => (await deliveries(id)).length === 0)
})
