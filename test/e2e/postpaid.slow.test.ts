import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import type { RunningService } from '../../platform/service.ts'
import { startReactor } from '../../services/reactor/reactor.ts'
import { charged } from '../support/events/ledgerEvents.ts'
import { CHAT, call, chatBody } from '../support/harness/gatewayClient.ts'
import { type PaymentHarness, startPaymentHarness } from '../support/harness/paymentHarness.ts'
import { press } from '../support/harness/paymentSandboxClient.ts'
import { type SteppedClock, steppedClock } from '../support/time/steppedClock.ts'
import { until } from '../support/time/until.ts'

const ACTOR = { kind: 'system', name: 'test' } as const
const INVOICES = `{ invoices {
  id status amount currency dueDate overdue hostedUrl pdfUrl month
  lines { kind alias calls tokensIn tokensOut credits amountMicros amount } } }`

let clock: SteppedClock
let shop: PaymentHarness
let second: RunningService

beforeAll(async () => {
  clock = steppedClock(Date.UTC(2027, 0, 20, 12))
  // The company has 1,000 prepaid credits.
  shop = await startPaymentHarness({ clock })
  second = await startReactor(shop.runtime)
})
afterAll(async () => {
  await second.drain(1_000)
  await shop.close()
})

/** Each event once: a store without unique ids may hold two copies if two reactors write at the same moment. */
const ledger = async (type: LedgerEvent['type']) => {
  const events = (await shop.ledgerOf(shop.companyId)).filter((event) => event.type === type)
  return [...new Map(events.toReversed().map((event) => [event.id, event])).values()].toReversed()
}
const closedMonths = async () => (await ledger('MonthClosed')).map(({ data }) => 'month' in data && data.month)
const charge = async (alias: string, credits: number) => {
  const at = new Date(clock.now()).toISOString()
  const event = charged(shop.companyId, { alias, amountMicros: `${credits}000000`, admittedAt: at, finishedAt: at })
  const { ledger: writer } = shop.runtime.engines
  await writer.book(writer.draftOf(event), event.data.callId, ACTOR)
}
const chat = () => call(shop.gatewayUrl, CHAT, { key: shop.key.raw, body: chatBody() })
const invoiceOf = async (month: string) => {
  const { invoices } = await shop.untilSeen(`the invoice for ${month} is open`, INVOICES, (data) =>
    data.invoices.some((one: { month: string; hostedUrl: string }) => one.month === month && one.hostedUrl),
  )
  return invoices.find((one: { month: string }) => one.month === month)
}
const issued = async () => (await shop.stripe.invoices.list({ limit: 100 })).data

test('a company that became postpaid within a month is invoiced for what its prepaid credits did not cover', async () => {
  const offer = { name: 'Enterprise', billingMode: 'POSTPAID', price: 100, currency: 'usd', creditsPerPeriod: 1000 }
  const create = 'mutation ($input: CreatePlanInput!) { createPlan(input: $input) { id dueDays } }'
  const { createPlan: plan } = await shop.asRoot(create, { input: offer })
  await charge('svc/chat-default', 600)
  const set =
    'mutation ($id: ID!, $plan: ID) { setCompanyBillingMode(companyId: $id, billingMode: POSTPAID, planId: $plan) { planId } }'
  await shop.asRoot(set, { id: shop.companyId, plan: plan.id })
  await charge('svc/chat-default', 900)
  await charge('svc/chat-premium', 500)
  clock.set(Date.UTC(2027, 0, 31, 23, 59, 59, 999))
  expect(await issued()).toEqual([])

  clock.set(Date.UTC(2027, 1, 1, 0, 0, 1))
  const invoice = await invoiceOf('2027-01')
  expect(invoice).toMatchObject({ status: 'OPEN', amount: 100, currency: 'usd', overdue: false })
  expect(invoice.dueDate.slice(0, 10)).toBe('2027-02-15')
  expect(invoice.lines).toMatchObject([
    { kind: 'USAGE', alias: 'svc/chat-default', calls: 2, tokensIn: 20, tokensOut: 40, credits: 1500, amount: 150 },
    { kind: 'USAGE', alias: 'svc/chat-premium', calls: 1, credits: 500, amount: 50 },
    { kind: 'PREPAID', alias: null, credits: -1000, amountMicros: '-1000000000', amount: -100 },
  ])
  const [atProvider, another] = await issued()
  expect(another).toBeUndefined()
  expect(atProvider).toMatchObject({ id: invoice.id, total: 10_000, metadata: { month: '2027-01' } })
  expect(atProvider?.lines.data.map(({ amount }) => amount).sort((a, b) => a - b)).toEqual([-10_000, 5_000, 15_000])
  const pdf = await fetch(invoice.pdfUrl)
  expect(pdf.headers.get('content-type')).toBe('application/pdf')
  expect(await pdf.text()).toMatch(/^%PDF-/)
})

test('an overdue invoice stops calls, names its page, and is settled by its payment, which grants nothing', async () => {
  const { hostedUrl } = await invoiceOf('2027-01')
  expect((await chat()).status).toBe(200)
  clock.set(Date.UTC(2027, 1, 16))
  const refused = await until('calls are refused', async () => {
    const answer = await chat()
    return answer.status === 403 ? answer : undefined
  })
  expect(JSON.stringify(refused.json)).toContain(`Pay it at ${hostedUrl} to continue`)
  await press(hostedUrl, 'pay')
  const TRANSACTIONS =
    '{ creditTransactions(type: SETTLEMENT) { nodes { credits description } } creditBalance { credits } }'
  const seen = await shop.untilSeen('the invoice is settled', TRANSACTIONS, (data) => {
    // One call was answered since the month was closed.
    return data.creditTransactions.nodes.length === 1 && data.creditBalance.credits > -10
  })
  expect(seen.creditTransactions.nodes).toMatchObject([{ credits: 1000 }])
  expect(seen.creditBalance.credits).toBeLessThan(0)
  await until('calls are answered again', async () => (await chat()).status === 200)
  expect(await ledger('CreditsGranted')).toHaveLength(1)
})

test('February is closed at its end; a month without calls is closed without an invoice', async () => {
  clock.set(Date.UTC(2027, 1, 28, 23, 59, 59))
  expect(await closedMonths()).toEqual(['2027-01'])
  await charge('svc/chat-default', 30)
  clock.set(Date.UTC(2027, 2, 1))
  expect(await invoiceOf('2027-02')).toMatchObject({ status: 'OPEN', lines: [{ kind: 'USAGE', calls: 3 }] })
  clock.set(Date.UTC(2027, 3, 1))
  await until('March is billed', async () => (await ledger('MonthBilled')).length === 3)
  expect((await ledger('MonthBilled'))[2]?.data).toMatchObject({ month: '2027-03', amountMinor: '0', lines: [] })
  expect(await issued()).toHaveLength(2)
})

test('a clock that is set back closes nothing; months that passed meanwhile are closed in order, each once', async () => {
  clock.set(Date.UTC(2027, 1, 10))
  await charge('svc/chat-default', 50)
  clock.set(Date.UTC(2027, 6, 1, 8))
  const open = await invoiceOf('2027-04')
  expect(open).toMatchObject({ amount: 5, lines: [{ calls: 1, credits: 50 }] })
  await until('June is billed', async () => (await ledger('MonthBilled')).length === 6)
  expect(await closedMonths()).toEqual(['2027-01', '2027-02', '2027-03', '2027-04', '2027-05', '2027-06'])
  expect(await issued()).toHaveLength(3)
  expect(await ledger('InvoiceSettled')).toHaveLength(1)
})
