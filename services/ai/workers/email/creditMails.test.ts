import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Mail } from '../../../../capabilities/mail/mailer.ts'
import type { DomainEvent } from '../../../../contracts/envelope.ts'
import { type LotTerms, WITHOUT_EXPIRY } from '../../../../contracts/events/lotTerms.ts'
import { type StreamName, streamName } from '../../../../contracts/streams.ts'
import { isoTime } from '../../../../platform/clock/clock.ts'
import { foldLots } from '../../../../test/support/databases/foldLots.ts'
import { noticeSettingsChanged } from '../../../../test/support/events/controlEvents.ts'
import { charged, granted } from '../../../../test/support/events/ledgerEvents.ts'
import {
  openWorkerRunnerHarness,
  type WorkerRunnerHarness,
} from '../../../../test/support/harness/workerRunnerHarness.ts'
import { until } from '../../../../test/support/time/until.ts'
import { emailWorker } from './emailWorker.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const LINKS = { publicUrl: 'https://tollgate.example/', secret: 's'.repeat(32) }
/** Companies and days that the worker reads at a time. */
const DUE_MAX = 2

let bench: WorkerRunnerHarness
let sent: Mail[]
let isServerDown: boolean
let companyId: string
/** Rounds of the worker that was started last. */
let rounds: number
beforeEach(async () => {
  bench = await openWorkerRunnerHarness()
  await bench.startProjector()
  sent = []
  isServerDown = false
  companyId = await company('Bär & Söhne')
})
afterEach(() => bench.close())

const now = () => isoTime(bench.clock.now())
/** The bench starts at ten o'clock. */
const inDays = (days: number, hours = 0) => isoTime(bench.clock.now() + days * DAY_MS + hours * 60 * 60 * 1_000)

async function add(stream: StreamName, event: DomainEvent, table: string, condition: string): Promise<void> {
  await bench.append(stream, event)
  await until(`${table} shows ${event.type}`, async () => {
    const rows = await bench.engines.database.query(`select 1 from read_models.${table} where ${condition}`)
    return rows.length === 1
  })
}

/** A company with one admin. */
async function company(name: string): Promise<string> {
  const [id, userId] = [randomUUID(), randomUUID()]
  const registered = { companyId: id, name, billingMode: 'PREPAID', hardCap: false, registeredAt: now() } as const
  await add(
    streamName('company', id),
    { type: 'CompanyRegistered', data: registered },
    'companies',
    `company_id = '${id}'`,
  )
  const secrets = { emailLookup: 'ab'.repeat(32), passwordHash: '$scrypt$x' }
  const user = { userId, companyId: id, email: `ada@${id}.example`, ...secrets, isSuperAdmin: false }
  const event = { type: 'UserRegistered', data: { ...user, registeredAt: now() } }
  await add(streamName('user', userId), event, 'users', `user_id = '${userId}'`)
  return id
}

async function append(of: string, ...events: DomainEvent[]): Promise<void> {
  await bench.append(streamName('ledger', of), ...events)
  await foldLots(bench.engines)
}
const grant = (amountMicros: string, expiresAt: string, terms: Partial<LotTerms> = {}, of = companyId) =>
  append(of, granted(of, { amountMicros, lot: { ...WITHOUT_EXPIRY, ...terms, expiresAt }, grantedAt: now() }))

function run() {
  rounds = 0
  const mailer = {
    send: async (mail: Mail) => {
      if (isServerDown) throw new Error('the mail server is down')
      sent.push(mail)
    },
    domain: 'mail.example',
  }
  const worker = emailWorker({ engines: bench.engines, mailer, clock: bench.clock, links: LINKS, dueMax: DUE_MAX })
  const due = async (nowMs: number) => {
    const found = await worker.due?.(nowMs)
    rounds++
    return found ?? { tasks: [] }
  }
  return bench.run({ ...worker, due })
}

/** Waits until the worker has looked at all lots, the first time only for the end of the ledger, and has sent the mails. */
async function looked(): Promise<void> {
  const before = rounds
  await until('the worker has looked at all lots', () => rounds >= before + 6)
  await until('no task is waiting', async () => {
    return (await bench.engines.database.query("select 1 from platform.tasks where status = 'waiting'")).length === 0
  })
}
/** As long as tasks are recorded, the lots are behind the store, so the second time shows whether a mail is repeated. */
async function settled(): Promise<void> {
  for (let time = 1; time <= 2; time++) {
    await foldLots(bench.engines)
    await looked()
  }
}
/** The subjects of the mails about credits that expire. */
const subjects = () => sent.map(({ subject }) => subject).filter((subject) => subject.includes('expire'))

async function pass(days: number): Promise<void> {
  bench.clock.advance(days * DAY_MS)
  await settled()
}

describe('credits that expire', () => {
  test('are mailed about once 14 and once 3 days before the day of their expiry', async () => {
    const expiresAt = inDays(16)
    const day = expiresAt.slice(0, 10)
    await grant('25500000', expiresAt)
    run()
    await settled()
    await pass(1)
    expect(subjects()).toEqual([])
    await pass(1)
    expect(subjects()).toEqual([`25.5 credits of Bär & Söhne expire on ${day}`])
    expect(sent[0]?.to).toEqual([`ada@${companyId}.example`])
    expect(sent[0]?.text).toContain(`expire on ${day}, the first of them at 10:00 UTC`)
    await append(companyId, charged(companyId, { amountMicros: '5500000', admittedAt: now(), finishedAt: now() }))
    await pass(10)
    expect(subjects()).toHaveLength(1)
    await pass(1)
    expect(subjects()[1]).toBe(`20 credits of Bär & Söhne expire on ${day}`)
    await pass(1)
    await pass(3)
    expect(subjects()).toHaveLength(2)
  })

  test('of one day share a mail, which says what rolls over; those of another day and company have their own', async () => {
    const other = await company('Other')
    await grant('1000000', inDays(10))
    const rollover = { share: '250000', expiresAt: inDays(40) }
    await grant('2000000', inDays(10, 5), { rollover })
    await grant('4000000', inDays(11))
    await grant('8000000', inDays(10), {}, other)
    run()
    await settled()
    expect(subjects().toSorted()).toEqual([
      `3 credits of Bär & Söhne expire on ${inDays(10).slice(0, 10)}`,
      `4 credits of Bär & Söhne expire on ${inDays(11).slice(0, 10)}`,
      `8 credits of Other expire on ${inDays(10).slice(0, 10)}`,
    ])
    const shared = sent.find(({ subject }) => subject.startsWith('3 '))
    expect(shared?.text).toContain('at present, 0.5 of these credits would')
  })

  test('are not mailed about a second time by another worker, after a restart, or when the task is forgotten', async () => {
    await grant('1000000', inDays(10))
    const runners = [run(), run()]
    await settled()
    for (const runner of runners) await runner.drain(1_000)
    run()
    await settled()
    await bench.engines.database.query('delete from platform.tasks')
    await settled()
    expect(subjects()).toHaveLength(1)
  })

  test('are not mailed about if they were used, have expired, or never expire', async () => {
    await grant('1000000', inDays(5))
    await append(companyId, charged(companyId, { amountMicros: '1000000', admittedAt: now(), finishedAt: now() }))
    await grant('1000000', isoTime(bench.clock.now() + 1))
    await append(companyId, granted(companyId, { amountMicros: '5', lot: WITHOUT_EXPIRY }))
    bench.clock.advance(1)
    run()
    await settled()
    expect(subjects()).toEqual([])
  })

  test('are not mailed about if they were used while the mail waited for the mail server', async () => {
    await grant('1000000', inDays(5))
    isServerDown = true
    run()
    await until('a mail has failed', async () => {
      return (await bench.engines.database.query('select 1 from platform.tasks where attempts = 1')).length === 1
    })
    await append(companyId, charged(companyId, { amountMicros: '1000000', admittedAt: now(), finishedAt: now() }))
    isServerDown = false
    bench.clock.advance(2_000)
    await settled()
    expect(subjects()).toEqual([])
  })

  test('are mailed about once only if they are granted less than three days before', async () => {
    await grant('1000000', inDays(2))
    run()
    await settled()
    await pass(1)
    expect(subjects()).toHaveLength(1)
  })

  test('are not mailed about while the lots are behind the ledger, which may have used the credits', async () => {
    await grant('1000000', inDays(5))
    const used = charged(companyId, { amountMicros: '1000000', admittedAt: now(), finishedAt: now() })
    await bench.append(streamName('ledger', companyId), used)
    run()
    await looked()
    expect(subjects()).toEqual([])
    await settled()
    expect(subjects()).toEqual([])
  })

  test('are not mailed about to a company that has turned off the mails about a low balance', async () => {
    const off = noticeSettingsChanged(companyId, null)
    await add(streamName('company', companyId), off, 'companies', "low_balance = 'OFF'")
    await foldLots(bench.engines)
    await grant('1000000', inDays(5))
    run()
    await settled()
    expect(subjects()).toEqual([])
  })
})
