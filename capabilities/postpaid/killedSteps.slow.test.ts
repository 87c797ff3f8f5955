import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { companyDecider } from '../../domain/company/decider.ts'
import { planDecider } from '../../domain/plan/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { companyById } from '../../projections/companies/queries.ts'
import { charged, granted } from '../../test/support/events/ledgerEvents.ts'
import { type BackendHarness, startBackendHarness } from '../../test/support/harness/backendHarness.ts'
import { startTestSandbox, type TestSandbox } from '../../test/support/harness/sandbox.ts'
import { billingKilledAt, livingBilling } from '../../test/support/processes/dyingBilling.ts'
import { type SteppedClock, steppedClock } from '../../test/support/time/steppedClock.ts'
import { until } from '../../test/support/time/until.ts'
import { endMonth } from './endMonths.ts'

const ACTOR = { kind: 'system', name: 'test' } as const
const MONTH = '2026-10'
/** Two entries on the ledger, three on streams, and the customer, its address, draft, two lines and finalization. */
const STEPS = 11
const DAY_MS = 24 * 60 * 60 * 1_000

let clock: SteppedClock
let harness: BackendHarness
let sandbox: TestSandbox
let planId: string

beforeAll(async () => {
  clock = steppedClock(Date.UTC(2026, 9, 20))
  sandbox = await startTestSandbox({ clock })
  harness = await startBackendHarness({ clock })
  planId = randomUUID()
  const offer = { name: 'P', billingMode: 'POSTPAID', price: '49', currency: 'usd' } as const
  const create = { type: 'CreatePlan', planId, ...offer, creditsPerPeriodMicros: 5_000_000_000n } as const
  const { commands } = harness.runtime.engines
  await commands.handle(planDecider, streamName('plan', planId), { ...create, at: isoTime(clock.now()) }, context())
})
afterAll(async () => {
  await sandbox.close()
  await harness.close()
})

const context = () => ({ commandId: randomUUID(), correlationId: 'test', actor: ACTOR })

/** A postpaid company that used 1,500 credits and had 1,000. */
async function company(): Promise<string> {
  const { engines } = harness.runtime
  clock.set(Date.UTC(2026, 9, 20))
  const companyId = await harness.registerCompany({})
  await harness.register(`${companyId}@owner.example`, companyId)
  const stream = streamName('company', companyId)
  const mode = { type: 'ChangeBillingMode', companyId, billingMode: 'POSTPAID', planId } as const
  await engines.commands.handle(companyDecider, stream, { ...mode, at: isoTime(clock.now()) }, context())
  const { ledger } = engines
  const events = [
    granted(companyId, { amountMicros: '1000000000' }),
    charged(companyId, { amountMicros: '1500000000' }),
  ]
  for (const event of events) await ledger.book(ledger.draftOf(event), randomUUID(), ACTOR)
  await until('the read model has the company', async () => {
    return (await companyById(engines.database, companyId))?.postpaidSince != null
  })
  clock.set(Date.UTC(2026, 10, 1, 0, 0, 1))
  return companyId
}

const killedAt = (step: number, when: 'before' | 'after') => billingKilledAt(step, when, harness.runtime, sandbox.url)

async function invoicesOf(companyId: string): Promise<Stripe.Invoice[]> {
  const { stripe } = killedAt(Number.POSITIVE_INFINITY, 'before')
  const all: Stripe.Invoice[] = []
  for await (const invoice of stripe.invoices.list({ limit: 100 })) {
    if (invoice.metadata?.companyId === companyId) all.push(invoice)
  }
  return all
}

async function expectOneInvoice(companyId: string): Promise<void> {
  const invoices = await invoicesOf(companyId)
  expect(invoices).toMatchObject([{ status: 'open', total: 490, metadata: { month: MONTH } }])
  expect(invoices[0]?.lines.data.map(({ amount }) => amount)).toEqual([1470, -980])
  const ledger = await harness.ledgerOf(companyId)
  expect(ledger.map(({ type }) => type)).toEqual(['CreditsGranted', 'CallCharged', 'MonthClosed', 'MonthBilled'])
  const types: string[] = []
  const stream = streamName('invoice', invoices[0]?.id ?? '')
  for await (const { type } of harness.runtime.engines.store.readStream(stream)) types.push(type)
  expect(types).toEqual(['UsageInvoiceDrafted', 'InvoiceFinalized'])
}

const whole = () => livingBilling(harness.runtime, sandbox.url)

test('an invoice takes as many steps as are killed below', async () => {
  const companyId = await company()
  const { parts, steps } = killedAt(Number.POSITIVE_INFINITY, 'before')
  await endMonth(parts, companyId, MONTH)
  await expectOneInvoice(companyId)
  expect(steps()).toBe(STEPS)
})

const cases = Array.from({ length: STEPS }, (_, n) => n + 1).flatMap((step) => [
  [step, 'before'] as const,
  [step, 'after'] as const,
])

describe('a reactor that is killed', () => {
  test.each(cases)('at step %i, %s it, leaves one invoice in the end, even with two reactors', async (step, when) => {
    const companyId = await company()
    await expect(endMonth(killedAt(step, when).parts, companyId, MONTH)).rejects.toThrow()
    await Promise.all([endMonth(whole(), companyId, MONTH), endMonth(whole(), companyId, MONTH)])
    await endMonth(whole(), companyId, MONTH)
    await expectOneInvoice(companyId)
  })

  test.each([6, 8, 10])('after step %i leaves one invoice after the idempotency keys have expired', async (step) => {
    const companyId = await company()
    await expect(endMonth(killedAt(step, 'after').parts, companyId, MONTH)).rejects.toThrow()
    clock.advance(2 * DAY_MS)
    await endMonth(whole(), companyId, MONTH)
    await expectOneInvoice(companyId)
  })
})
