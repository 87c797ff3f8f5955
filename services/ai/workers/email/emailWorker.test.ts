import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Mailer } from '../../../../capabilities/mail/mailer.ts'
import type { DomainEvent } from '../../../../contracts/envelope.ts'
import type { BillingMode } from '../../../../contracts/events/company.ts'
import { BEGINNING } from '../../../../contracts/position.ts'
import { type StreamName, streamName } from '../../../../contracts/streams.ts'
import { isoTime } from '../../../../platform/clock/clock.ts'
import { hashLinkToken, type LinkKind, linkToken } from '../../../../platform/secrets/linkTokens.ts'
import {
  disputeFacts,
  disputeOpened,
  invoiceFacts,
  subscriptionFacts,
} from '../../../../test/support/events/billingEvents.ts'
import {
  minted,
  noticeSettingsChanged,
  resumed,
  revoked,
  suspended,
} from '../../../../test/support/events/controlEvents.ts'
import { charged, granted } from '../../../../test/support/events/ledgerEvents.ts'
import { startTestSandbox, type TestSandbox } from '../../../../test/support/harness/sandbox.ts'
import {
  openWorkerRunnerHarness,
  type WorkerRunnerHarness,
} from '../../../../test/support/harness/workerRunnerHarness.ts'
import { until } from '../../../../test/support/time/until.ts'
import type { Worker } from '../worker.ts'
import type { WorkerRunner } from '../workerRunner.ts'
import { emailWorker } from './emailWorker.ts'

/** Keys that the worker reads at a time. */
const DUE_MAX = 2
const LINKS = { publicUrl: 'https://tollgate.example/', secret: 's'.repeat(32) }
const DAY_MS = 24 * 60 * 60 * 1_000
const FROM = 'Tollgate <tollgate@mail.example>'

type Mail = { messageId: string; to: string[]; subject: string; text: string; html: string; count: number }

let bench: WorkerRunnerHarness
/** Complete scans of the expiring keys. */
let keyScans = 0
let sandbox: TestSandbox
let mailer: Mailer
let companyId: string
/** The address of the company's admin; each test has its own. */
let address: string
beforeAll(async () => {
  sandbox = await startTestSandbox()
  bench = await openWorkerRunnerHarness()
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

/** A super admin if they belong to no company. */
async function admin(ofCompany: string | null, email: string): Promise<string> {
  const userId = randomUUID()
  const secrets = { emailLookup: 'ab'.repeat(32), passwordHash: '$scrypt$x' }
  const data = {
    userId,
    companyId: ofCompany,
    email,
    ...secrets,
    isSuperAdmin: ofCompany === null,
    registeredAt: now(),
  }
  await bench.append(streamName('user', userId), { type: 'UserRegistered', data })
  await shown('users', 'user_id', userId)
  return userId
}

/** The recipients of all mails, as given to the mailer. */
const recipients: string[] = []
const run = (limits = {}, changes = {}) => {
  const send: Mailer['send'] = async (one) => {
    recipients.push(...one.to)
    await mailer.send(one)
  }
  const recording = { send, domain: mailer.domain }
  const worker = emailWorker({
    engines: bench.engines,
    mailer: recording,
    clock: bench.clock,
    links: LINKS,
    dueMax: DUE_MAX,
  })
  const due: Worker['due'] = async (nowMs) => {
    const found = (await worker.due?.(nowMs)) ?? { tasks: [] }
    const keys = found.tasks.filter(({ payload }) => (payload as { kind?: string }).kind === 'key_expiring')
    if (keys.length < DUE_MAX) keyScans++
    return found
  }
  return bench.run({ ...worker, due }, limits, changes)
}
/** Waits until the worker has read all expiring keys, from the first to the last, and sent the mails about them. */
const keysScanned = async () => {
  const before = keyScans
  await until('all expiring keys were read', () => keyScans >= before + 2)
  await settled()
}
/** The mails to this test's admin, the newest first. */
const mails = async (to = address) =>
  ((await (await fetch(`${sandbox.url}/mailbox`)).json()) as Mail[]).filter((one) => one.to.includes(to))
const mail = () => until('a mail arrives', async () => (await mails())[0])
/** Waits until the worker has read all events and performed all tasks. */
const settled = () =>
  until('no task is waiting', async () => {
    const { database, store } = bench.engines
    const categories = ['ledger', 'invoice', 'subscription', 'company', 'user', 'dispute', 'task'] as const
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
  bench.append(streamName('ledger', of), charged(of, { amountMicros: micros, finishedAt }))

describe('while the worker runs', () => {
  let runner: WorkerRunner
  beforeAll(() => {
    runner = run()
  })
  afterAll(() => runner.drain(1_000))

  describe('a low balance', () => {
    test('is mailed once each time the threshold is crossed', async () => {
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
      await until('the second mail arrives', async () => (await mails()).length === 2)
    })

    test('is mailed below the limit that the company has set, and never if it has turned the mail off', async () => {
      const off = await company('Quiet Ltd')
      await admin(off, 'eve@quiet.example')
      for (const [id, limit] of [[companyId, '500000000'] as const, [off, null] as const]) {
        await bench.append(streamName('company', id), noticeSettingsChanged(id, limit))
        await shown('companies', "low_balance <> 'DEFAULT' and company_id", id)
        await grant('1000000000', id)
        await charge('500000000', id)
      }
      await settled()
      expect(await mails()).toEqual([])
      for (const id of [companyId, off]) await charge('1', id)
      expect((await mail()).text).toContain('499.999999 credits left, which is less than the 500 at which you asked')
      await charge('500000000', off)
      await settled()
      expect(await mails('eve@quiet.example')).toEqual([])
    })

    const grantedInTime = () => {
      const filled = granted(companyId, { amountMicros: '1000', grantedAt: now() })
      const used = charged(companyId, { amountMicros: '1000', finishedAt: now() })
      return [filled, used, granted(companyId, { amountMicros: '1000', grantedAt: now() })]
    }

    test('is not mailed after a grant, to a postpaid company, or a week later', async () => {
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

  describe('an event that needs action', () => {
    const common = () => ({ companyId, saidAt: now() })
    const invoice = (type: string, more: object = {}): [StreamName, DomainEvent] => {
      const facts = invoiceFacts({ amountMinor: '12050', currency: 'usd', payUrl: 'https://pay.example/?a=1&b=2' })
      const invoiceId = `in_${companyId.slice(0, 8)}`
      return [streamName('invoice', invoiceId), { type, data: { invoiceId, ...common(), facts, ...more } }]
    }
    const subscription = (type: string): [StreamName, DomainEvent] => {
      const facts = subscriptionFacts({ trialEndAt: '2026-03-04T00:00:00.000Z' })
      const subscriptionId = `sub_${companyId.slice(0, 8)}`
      return [streamName('subscription', subscriptionId), { type, data: { subscriptionId, ...common(), facts } }]
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
        'an invoice that cannot be finalized',
        () => invoice('InvoiceFinalizationFailed', { reason: 'no tax id' }),
        /could not be completed/,
        /no tax id/,
      ],
      ['a trial that ends', () => subscription('SubscriptionTrialEnding'), /trial/, /ends on 2026-03-04/],
      [
        'a second subscription that was canceled',
        () => {
          const [stream] = subscription('SubscriptionDuplicateEnded')
          const [subscriptionId, keptSubscriptionId] = [stream.slice('subscription-'.length), 'sub_first']
          const refunded = { amountMinor: '4900', currency: 'usd' }
          const data = { subscriptionId, companyId, keptSubscriptionId, refunded, endedAt: now() }
          return [stream, { type: 'SubscriptionDuplicateEnded', data }]
        },
        /second subscription .* was canceled/,
        /payment of USD 49\.00 is refunded/,
      ],
      ['a paused subscription', () => subscription('SubscriptionPaused'), /is paused/, /payment method/],
    ])('%s is mailed', async (_, happens, subject, text) => {
      await bench.append(...happens())
      const received = await mail()
      expect(received.subject).toMatch(subject)
      expect(received.text).toMatch(text)
      expect(received.text).toContain('Bär & <Söhne>')
      expect(received.html).toContain('Bär &amp; &lt;Söhne&gt;')
      expect(received.html).not.toContain('<Söhne>')
      expect(received.to).toEqual([address])
    })

    test('is not mailed if the invoice has been paid', async () => {
      const [stream, failed] = invoice('InvoicePaymentFailed', { nextAttemptAt: null })
      await bench.append(stream, failed, invoice('InvoicePaid', { grant: null })[1])
      await settled()
      expect(await mails()).toEqual([])
    })
  })

  test('a suspension is mailed with its reason, and so is its end', async () => {
    const stream = streamName('company', companyId)
    await bench.append(stream, {
      ...suspended(companyId),
      data: { companyId, reason: 'fraud', disputeId: null, suspendedAt: now() },
    })
    expect((await mail()).text).toContain('for this reason: fraud')
    await settled()
    await bench.append(stream, { ...resumed(companyId), data: { companyId, resumedAt: now() } })
    await until('the second mail arrives', async () => (await mails()).length === 2)
    expect((await mails())[0]?.subject).toMatch(/is no longer suspended/)
  })

  test('a suspension that has ended before its mail was sent is not mailed', async () => {
    const events = [
      { type: 'CompanySuspended', data: { companyId, reason: 'a mistake', disputeId: null, suspendedAt: now() } },
      { type: 'CompanyResumed', data: { companyId, resumedAt: now() } },
    ] as const
    await bench.append(streamName('company', companyId), ...events)
    await mail()
    await settled()
    expect((await mails()).map(({ subject }) => subject)).toEqual([expect.stringMatching(/no longer suspended/)])
  })

  describe('a disputed payment', () => {
    const root = `root@${randomUUID()}.example`
    beforeAll(async () => {
      await admin(null, root)
    })
    const dispute = () => {
      const opened = disputeOpened(`du_${companyId.slice(0, 8)}`, companyId)
      const { disputeId } = opened.data
      const lost = { disputeId, companyId, facts: disputeFacts({ status: 'LOST' }), saidAt: now(), askedAt: null }
      const closed = { type: 'DisputeClosed', data: lost } as const
      const stream = streamName('dispute', disputeId)
      return { stream, opened: { ...opened, data: { ...opened.data, saidAt: now() } }, closed }
    }
    const toRoot = async () => (await mails(root)).filter(({ text }) => text.includes(`du_${companyId.slice(0, 8)}`))

    test('is mailed to the company and to super admins, and so is its end', async () => {
      const { stream, opened, closed } = dispute()
      await bench.append(stream, opened)
      expect(await mail()).toMatchObject({ subject: expect.stringMatching(/^Payment disputed: USD 10\.00 of Bär/) })
      const [forRoot] = await until('the super admin is mailed', async () => {
        const found = await toRoot()
        return found.length === 1 ? found : undefined
      })
      expect(forRoot?.text).toContain('until 2026-03-10 10:00 UTC')
      await settled()
      await bench.append(stream, closed)
      await until('both are mailed again', async () => (await mails()).length === 2 && (await toRoot()).length === 2)
      expect((await mails())[0]?.text).toContain('the credits stay withdrawn')
    })

    test('whose dispute has ended before the mail was sent is mailed once', async () => {
      const { stream, opened, closed } = dispute()
      await bench.append(stream, opened, closed)
      await mail()
      await settled()
      expect((await mails()).map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Dispute ended/)])
    })
  })

  describe('an invoice with a due date', () => {
    test('is mailed once when it is open, three days before it is due, and when it is overdue', async () => {
      const invoiceId = `in_${companyId.slice(0, 8)}`
      const dueAt = isoTime(bench.clock.now() + 14 * DAY_MS)
      const payUrl = `https://pay.example/${invoiceId}`
      const facts = invoiceFacts({ amountMinor: '12050', subscriptionId: null, dueAt, payUrl })
      const report = { type: 'InvoiceFinalized', data: { invoiceId, companyId, saidAt: now(), facts } }
      // The provider's event, and our own answer to it.
      await bench.append(streamName('invoice', invoiceId), report, report)
      await shown('invoices', 'invoice_id', invoiceId)
      expect(await mail()).toMatchObject({ subject: expect.stringMatching(/^Invoice of USD 120\.50 .* due on/) })
      bench.clock.advance(10 * DAY_MS)
      await keysScanned()
      expect(await mails()).toHaveLength(1)
      bench.clock.advance(1.5 * DAY_MS)
      await until('the reminder arrives', async () => (await mails()).length === 2)
      expect(await mail()).toMatchObject({ subject: expect.stringMatching(/^Reminder: invoice of USD 120\.50/) })
      bench.clock.advance(3 * DAY_MS)
      await until('the mail about the overdue invoice arrives', async () => (await mails()).length === 3)
      const overdue = await mail()
      expect(overdue.subject).toMatch(/^Overdue: invoice of USD 120\.50/)
      expect(overdue.text).toContain(payUrl)
      await keysScanned()
      expect(await mails()).toMatchObject([{ count: 1 }, { count: 1 }, { count: 1 }])
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

    test('is mailed once, a week before', async () => {
      await mint(7.5, 30)
      await settled()
      expect(await mails()).toEqual([])
      bench.clock.advance(DAY_MS)
      expect((await mail()).subject).toMatch(/^API key "ci" of .* expires on \d{4}-\d\d-\d\d$/)
      bench.clock.advance(DAY_MS)
      await keysScanned()
      expect(await mails()).toMatchObject([{ count: 1 }])
    })

    test('is mailed even if more keys expire before it than are read at a time', async () => {
      for (const days of [1, 1.1, 1.2, 1.3, 1.4]) await mint(days, 30)
      await until('five mails arrive', async () => (await mails()).length === 5)
    })

    test('is not mailed if it was minted for a day only, or if it was revoked', async () => {
      await mint(1, 1)
      await mint(2, 30, true)
      await keysScanned()
      expect(await mails()).toEqual([])
    })
  })

  describe('a budget', () => {
    const spend = (keyId: string, amountMicros: string) =>
      bench.append(
        streamName('ledger', companyId),
        charged(companyId, { keyId, amountMicros, admittedAt: now(), finishedAt: now() }),
      )

    test('is mailed at 80 % and 100 %, once per period, including the spend of its siblings', async () => {
      const [keyId, siblingId] = [randomUUID(), randomUUID()]
      const budget = { amountMicros: '1000000', period: 'DAY' } as const
      await bench.append(streamName('apiKey', keyId), minted(keyId, { companyId, name: 'ci', budget }))
      await bench.append(streamName('apiKey', siblingId), minted(siblingId, { companyId, rotatedFrom: keyId }))
      await grant('1000000000')
      await spend(keyId, '700000')
      await shown('key_spend', "period = 'total' and key_id", keyId)
      await keysScanned()
      expect(await mails()).toEqual([])
      await spend(siblingId, '100000')
      expect((await mail()).subject).toMatch(/^80 % of the budget of API key "ci" of .* is used$/)
      await spend(siblingId, '250000')
      await until('the second mail arrives', async () => (await mails()).length === 2)
      expect((await mails())[0]?.subject).toMatch(/^The budget of API key "ci" of .* is used up$/)
      expect((await mails())[0]?.text).toContain('1.05 credits of its budget of 1 credits per day (UTC)')
      await keysScanned()
      expect(await mails()).toMatchObject([{ count: 1 }, { count: 1 }])
      bench.clock.advance(DAY_MS)
      await keysScanned()
      expect(await mails()).toHaveLength(2)
      await spend(keyId, '900000')
      await until('a mail of the next day arrives', async () => (await mails()).length === 3)
    })
  })

  describe('a link', () => {
    const link = (kind: LinkKind, ownerId: string, linkId: string, secret = LINKS.secret) => {
      const token = linkToken(secret, { kind, ownerId, linkId })
      const expiresAt = isoTime(bench.clock.now() + DAY_MS)
      return { token, stored: { tokenHash: hashLinkToken(token), expiresAt } }
    }
    const invite = (to: string, linkId = randomUUID(), secret?: string) => {
      const { token, stored } = link('invitation', companyId, linkId, secret)
      const person = { email: to, emailLookup: 'cd'.repeat(32), role: 'BILLING', invitedBy: companyId } as const
      const data = { companyId, invitationId: linkId, ...person, ...stored, invitedAt: now() }
      return { token, linkId, event: { type: 'UserInvited', data } }
    }
    const withdrawn = (invitationId: string) => {
      return { type: 'InvitationWithdrawn', data: { companyId, invitationId, withdrawnAt: now() } }
    }
    const mailTo = (to: string) => until(`a mail to ${to} arrives`, async () => (await mails(to))[0])

    test('of an invitation is mailed to the invited person alone, under PUBLIC_URL', async () => {
      const to = `invited@${companyId}.example`
      const { token, event } = invite(to)
      await bench.append(streamName('company', companyId), event)
      const { to: all, subject, text, html } = await mailTo(to)
      expect(all).toEqual([to])
      expect(subject).toBe('You are invited to Bär & <Söhne> on Tollgate')
      expect(text).toContain(`https://tollgate.example/console/invitation#token=${token}\n`)
      expect(text).toContain('at https://tollgate.example/graphql')
      expect(text).toContain(`acceptInvitation(token: "${token}"`)
      expect(html).not.toContain('<Söhne>')
      expect(await mails()).toEqual([])
    })

    test('of a password reset is mailed to its user alone', async () => {
      const userId = await admin(companyId, `forgetful@${companyId}.example`)
      const resetId = randomUUID()
      const { token, stored } = link('passwordReset', userId, resetId)
      const data = { userId, resetId, ...stored, requestedAt: now() }
      await bench.append(streamName('user', userId), { type: 'PasswordResetRequested', data })
      const { to, text } = await mailTo(`forgetful@${companyId}.example`)
      expect(to).toHaveLength(1)
      expect(text).toContain(`https://tollgate.example/console/reset-password#token=${token}\n`)
      expect(text).toContain(`resetPassword(token: "${token}"`)
      expect(await mails()).toEqual([])
    })

    test('is not mailed if it was withdrawn meanwhile or made with another secret', async () => {
      const [gone, foreign, last] = ['gone', 'foreign', 'last'].map((name) => `${name}@${companyId}.example`)
      const ended = invite(gone ?? '')
      const stream = streamName('company', companyId)
      await bench.append(stream, ended.event, withdrawn(ended.linkId))
      const other = invite(foreign ?? '', randomUUID(), 't'.repeat(32))
      await bench.append(stream, other.event, invite(last ?? '').event)
      await mailTo(last ?? '')
      const failed = "select 1 from platform.tasks where subject like '%' || $1 || '%' and attempts > 0"
      await until('the link of another secret has failed', async () => {
        return (await bench.engines.database.query(failed, [other.linkId])).length === 1
      })
      await bench.append(stream, withdrawn(other.linkId))
      bench.clock.advance(2_000)
      await settled()
      expect([...(await mails(gone)), ...(await mails(foreign))]).toEqual([])
    })
  })

  test('every admin of the company gets the mail, except erased ones and those of other companies', async () => {
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

test('a mail is sent again under the same id after a crash between sending and recording', async () => {
  await grant('1000')
  await charge('1000')
  // This process hangs when it records that the mail was sent, as if it had died.
  const death = Promise.withResolvers<never>()
  const dying = { ...bench.engines, commands: { handle: () => death.promise } as never }
  const dead = run({ atOnceMax: 1 }, { engines: dying })
  const first = await mail()
  expect(first.count).toBe(1)
  const alive = run()
  // The mail to another company is due later, so the other process would have taken the first task before it.
  const other = await company('Other')
  await admin(other, 'eve@second.example')
  await grant('1000', other)
  await charge('1000', other)
  await until('the mail to the other company arrives', async () => (await mails('eve@second.example')).length === 1)
  expect((await mail()).count).toBe(1)
  await bench.expireLeases()
  await until('the mail is sent again', async () => (await mails())[0]?.count === 2)
  await settled()
  const all = await mails()
  expect(all).toHaveLength(1)
  expect(all[0]?.messageId).toBe(first.messageId)
  expect(first.messageId).toMatch(/^<[0-9a-f-]{36}@mail\.example>$/)
  death.reject(new Error('the process died'))
  await Promise.all([dead, alive].map((runner) => runner.drain(100)))
})

test('a mail waits while the mail server is down, and is sent when it is back', async () => {
  const gone = new Mailer({ url: 'smtp://127.0.0.1:1', from: FROM })
  const target = { send: gone.send.bind(gone), domain: 'mail.example' }
  const runner = bench.run(emailWorker({ engines: bench.engines, mailer: target, clock: bench.clock, links: LINKS }))
  await grant('1000')
  await charge('1000')
  await until('the first attempt failed', async () => {
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
