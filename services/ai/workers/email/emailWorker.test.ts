import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DomainEvent } from '../../../../contracts/envelope.ts'
import type { BillingMode } from '../../../../contracts/events/company.ts'
import { BEGINNING } from '../../../../contracts/position.ts'
import { type StreamName, streamName } from '../../../../contracts/streams.ts'
import { minted, revoked } from '../../../../test/support/controlEvents.ts'
import { charged, granted } from '../../../../test/support/ledgerEvents.ts'
import { invoiceFacts, subscriptionFacts } from '../../../../test/support/paymentEvents.ts'
import { startTestSandbox, type TestSandbox } from '../../../../test/support/sandbox.ts'
import { until } from '../../../../test/support/until.ts'
import { openWorkerBench, type WorkerBench } from '../../../../test/support/workerBench.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { Mailer } from '../../../platform/mail/mailer.ts'
import type { WorkerRunner } from '../runner.ts'
import { emailWorker } from './emailWorker.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const FROM = 'Tollgate <tollgate@mail.example>'

type Mail = { messageId: string; to: string[]; subject: string; text: string; html: string; count: number }

let bench: WorkerBench
let sandbox: TestSandbox
let mailer: Mailer
let companyId: string
/** Of the company's admin; each test has one of its own. */
let address: string
beforeAll(async () => {
  sandbox = await startTestSandbox()
  bench = await openWorkerBench()
  mailer = new Mailer({ url: sandbox.smtpUrl, from: FROM })
  await bench.startProjector()
})
afterAll(async () => {
  mailer.close()
  await bench.close()
  await sandbox.close()
})
beforeEach(async () => {
  companyId = await company('Bär & <Söhne>')
  address = `ada@${companyId}.example`
  await admin(companyId, address)
})

const now = () => isoTime(bench.clock.now())
const shown = (table: string, column: string, id: string) =>
  until(`${id} is in ${table}`, async () => {
    const rows = await bench.engines.database.query(`select 1 from read_models.${table} where ${column} = $1`, [id])
    return rows.length === 1
  })

async function company(name: string, billingMode: BillingMode = 'PREPAID'): Promise<string> {
  const id = randomUUID()
  const data = { companyId: id, name, billingMode, hardCap: false, registeredAt: now() }
  await bench.append(streamName('company', id), { type: 'CompanyRegistered', data })
  await shown('companies', 'company_id', id)
  return id
}

async function admin(ofCompany: string, email: string): Promise<string> {
  const userId = randomUUID()
  const secrets = { emailLookup: 'ab'.repeat(32), passwordHash: '$scrypt$x' }
  const data = { userId, companyId: ofCompany, email, ...secrets, isSuperAdmin: false, registeredAt: now() }
  await bench.append(streamName('user', userId), { type: 'UserRegistered', data })
  await shown('users', 'user_id', userId)
  return userId
}

/** To whom mails were sent, as the server was told. */
const recipients: string[] = []
const run = (limits = {}, changes = {}) => {
  const send: Mailer['send'] = async (one) => {
    recipients.push(...one.to)
    await mailer.send(one)
  }
  const told = { send, domain: mailer.domain }
  return bench.run(emailWorker({ engines: bench.engines, mailer: told, dueMax: 2 }), limits, changes)
}
/** Those to this test's admin, the newest first. */
const mails = async (to = address) =>
  ((await (await fetch(`${sandbox.url}/mailbox`)).json()) as Mail[]).filter((one) => one.to.includes(to))
const mail = () => until('a mail arrives', async () => (await mails())[0])
/** The worker has read all that concerns it, and done what followed. */
const settled = () =>
  until('there is nothing to do', async () => {
    const { database, store } = bench.engines
    const categories = ['ledger', 'invoice', 'subscription', 'task']
    const { events } = await store.readAll({ after: BEGINNING, categories, limit: 1_000 })
    const [row] = await database.query<{ position: string }>(
      "select position from read_models.checkpoints where projection = 'email_worker'",
    )
    const open = await database.query("select 1 from platform.tasks where status = 'waiting'")
    return row !== undefined && row.position >= (events.at(-1)?.position ?? BEGINNING) && open.length === 0
  })
const grant = (micros: string, of = companyId) =>
  bench.append(streamName('ledger', of), granted(of, { amountMicros: micros, grantedAt: now() }))
const charge = (micros: string, of = companyId, finishedAt = now()) =>
  bench.append(streamName('ledger', of), charged(of, { amountMicros: micros, finishedAt }) as unknown as DomainEvent)

describe('while the worker runs', () => {
  let runner: WorkerRunner
  beforeAll(() => {
    runner = run()
  })
  afterAll(() => runner.drain(1_000))

  describe('a low balance', () => {
    test('is told once for each time that it is crossed', async () => {
      await grant('1000000000')
      await charge('900000000')
      await settled()
      expect(await mails()).toEqual([])
      await charge('1')
      expect(await mail()).toMatchObject({
        to: [address],
        subject: 'Low balance: 99.999999 credits left for Bär & <Söhne>',
        count: 1,
      })
      await charge('1000')
      await settled()
      expect(await mails()).toHaveLength(1)
      await grant('900000000')
      await charge('950000000')
      await until('the second one', async () => (await mails()).length === 2)
    })

    const grantedInTime = () => {
      const filled = granted(companyId, { amountMicros: '1000', grantedAt: now() })
      const used = charged(companyId, { amountMicros: '1000', finishedAt: now() }) as unknown as DomainEvent
      return [filled, used, granted(companyId, { amountMicros: '1000', grantedAt: now() })]
    }

    test('is not told where a grant was faster, nor who pays afterwards, nor a week later', async () => {
      const postpaid = await company('Later Ltd', 'POSTPAID')
      await admin(postpaid, 'eve@later.example')
      const old = await company('Old Ltd')
      await admin(old, 'old@old.example')
      await grant('1000', postpaid)
      await charge('1000', postpaid)
      await bench.append(streamName('ledger', companyId), ...grantedInTime())
      await grant('1000', old)
      await charge('1000', old, isoTime(bench.clock.now() - 8 * DAY_MS))
      await settled()
      for (const to of [address, 'eve@later.example', 'old@old.example']) expect(await mails(to)).toEqual([])
    })
  })

  describe('what a person must do something about', () => {
    const said = () => ({ companyId, saidAt: now() })
    const invoice = (type: string, more: object = {}): [StreamName, DomainEvent] => {
      const facts = invoiceFacts({ amountMinor: '12050', currency: 'usd', payUrl: 'https://pay.example/?a=1&b=2' })
      const invoiceId = `in_${companyId.slice(0, 8)}`
      return [streamName('invoice', invoiceId), { type, data: { invoiceId, ...said(), facts, ...more } }]
    }
    const subscription = (type: string): [StreamName, DomainEvent] => {
      const facts = subscriptionFacts({ trialEndAt: '2026-03-04T00:00:00.000Z' })
      const subscriptionId = `sub_${companyId.slice(0, 8)}`
      return [streamName('subscription', subscriptionId), { type, data: { subscriptionId, ...said(), facts } }]
    }
    test.each<[string, () => [StreamName, DomainEvent], RegExp, RegExp]>([
      [
        'a failed payment',
        () => invoice('InvoicePaymentFailed', { nextAttemptAt: '2026-03-05T00:00:00.000Z' }),
        /^Payment failed: USD 120\.50/,
        /tried again on 2026-03-05/,
      ],
      [
        'a payment to be confirmed',
        () => invoice('InvoiceActionRequired'),
        /confirm a payment of USD 120\.50/,
        /https:\/\/pay\.example/,
      ],
      [
        'an invoice that cannot be made',
        () => invoice('InvoiceFinalizationFailed', { reason: 'no tax id' }),
        /could not be completed/,
        /no tax id/,
      ],
      ['a trial that ends', () => subscription('SubscriptionTrialEnding'), /trial/, /ends on 2026-03-04/],
      ['a paused subscription', () => subscription('SubscriptionPaused'), /is paused/, /payment method/],
    ])('%s is told', async (_, happens, subject, text) => {
      await bench.append(...happens())
      const told = await mail()
      expect(told.subject).toMatch(subject)
      expect(told.text).toMatch(text)
      expect(told.text).toContain('Bär & <Söhne>')
      expect(told.html).toContain('Bär &amp; &lt;Söhne&gt;')
      expect(told.html).not.toContain('<Söhne>')
      expect(told.to).toEqual([address])
    })

    test('is not told once it is paid', async () => {
      const [stream, failed] = invoice('InvoicePaymentFailed', { nextAttemptAt: null })
      await bench.append(stream, failed, invoice('InvoicePaid', { grant: null })[1])
      await settled()
      expect(await mails()).toEqual([])
    })
  })

  describe('a key that expires', () => {
    const mint = async (expiresInDays: number, lifetimeDays: number, isRevoked = false) => {
      const keyId = randomUUID()
      const expiresAt = isoTime(bench.clock.now() + expiresInDays * DAY_MS)
      const mintedAt = isoTime(bench.clock.now() + (expiresInDays - lifetimeDays) * DAY_MS)
      const made = minted(keyId, { companyId, name: 'ci', expiresAt, mintedAt })
      await bench.append(streamName('apiKey', keyId), made, ...(isRevoked ? [revoked(keyId, now())] : []))
      await shown('api_keys', 'key_id', keyId)
    }

    test('is told a week before, once', async () => {
      await mint(7.5, 30)
      await settled()
      expect(await mails()).toEqual([])
      bench.clock.advance(DAY_MS)
      expect((await mail()).subject).toMatch(/^API key "ci" of .* expires on \d{4}-\d\d-\d\d$/)
      bench.clock.advance(DAY_MS)
      await bench.clock.delay(150)
      await settled()
      expect(await mails()).toMatchObject([{ count: 1 }])
    })

    test('is told however many expire before it, a few at a look', async () => {
      for (const days of [1, 1.1, 1.2, 1.3, 1.4]) await mint(days, 30)
      await until('five mails', async () => (await mails()).length === 5)
    })

    test('is not told of one that was made for a day, nor of one that was revoked', async () => {
      await mint(1, 1)
      await mint(2, 30, true)
      await bench.clock.delay(150)
      await settled()
      expect(await mails()).toEqual([])
    })
  })

  test('every admin of the company gets it, but none who was erased, and nobody of another company', async () => {
    const erased = await admin(companyId, 'gone@first.example')
    await admin(companyId, `bob@${companyId}.example`)
    await admin(await company('Other'), 'eve@other.example')
    await bench.engines.personal.erase(`user-${erased}`)
    await grant('1000')
    await charge('1000')
    expect((await mail()).to.toSorted()).toEqual([address, `bob@${companyId}.example`])
    expect(recipients.filter((one) => !one.includes('@'))).toEqual([])
  })
})

test('a crash between the sending and its record sends the same message again, under the same id', async () => {
  await grant('1000')
  await charge('1000')
  // This process dies when it wants to write down that the mail was sent.
  const death = Promise.withResolvers<never>()
  const dying = { ...bench.engines, commands: { handle: () => death.promise } as never }
  const dead = run({ atOnceMax: 1 }, { engines: dying })
  const first = await mail()
  expect(first.count).toBe(1)
  const alive = run()
  await bench.clock.delay(100)
  expect((await mail()).count).toBe(1)
  await bench.expireLeases()
  await until('it is sent again', async () => (await mails())[0]?.count === 2)
  await settled()
  const all = await mails()
  expect(all).toHaveLength(1)
  expect(all[0]?.messageId).toBe(first.messageId)
  expect(first.messageId).toMatch(/^<[0-9a-f-]{36}@mail\.example>$/)
  death.reject(new Error('it is dead'))
  await Promise.all([dead, alive].map((runner) => runner.drain(100)))
})

test('while the mail server is away a mail waits; when it is back, it is sent', async () => {
  const gone = new Mailer({ url: 'smtp://127.0.0.1:1', from: FROM })
  const target = { send: gone.send.bind(gone), domain: 'mail.example' }
  const runner = bench.run(emailWorker({ engines: bench.engines, mailer: target }))
  await grant('1000')
  await charge('1000')
  await until('it failed', async () => {
    const [row] = await bench.engines.database.query<{ attempts: number }>(
      "select attempts from platform.tasks where status = 'waiting'",
    )
    return row?.attempts === 1
  })
  target.send = mailer.send.bind(mailer)
  bench.clock.advance(2_000)
  await mail()
  gone.close()
  await runner.drain(100)
})
