import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { invoiceDecider } from '../../domain/invoice/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { type PaymentHarness, startPaymentHarness } from '../support/harness/paymentHarness.ts'
import { until } from '../support/time/until.ts'

const MONTH = '2026-01'
const SETTLE = 'mutation ($id: ID!, $reason: String!) { settleInvoice(id: $id, reason: $reason) { id status } }'
const VOID = 'mutation ($id: ID!, $reason: String!) { voidInvoice(id: $id, reason: $reason) { id status } }'

let shop: PaymentHarness
beforeAll(async () => {
  shop = await startPaymentHarness({ credits: '5' })
})
afterAll(() => shop.close())

let invoiceId: string
beforeEach(async () => {
  const fields = { amount: 700, metadata: { companyId: shop.companyId } }
  invoiceId = String((await shop.control('invoices', fields)).id)
  await shop.paymentEventsProcessed()
})

/** Makes the invoice one for the usage of a month. */
async function forUsage(): Promise<void> {
  const { commands } = shop.runtime.engines
  const usage = { invoiceId, companyId: shop.companyId, month: MONTH, creditsMicros: '7000000', lines: [] }
  const command = { type: 'DraftUsageInvoice', ...usage, at: isoTime(shop.runtime.clock.now()) } as const
  const context = {
    commandId: randomUUID(),
    correlationId: 'the test',
    actor: { kind: 'system', name: 'test' },
  } as const
  await commands.handle(invoiceDecider, streamName('invoice', invoiceId), command, context)
}

const settlements = async () =>
  (await shop.ledgerOf(shop.companyId)).filter(
    ({ type, data }) => type === 'InvoiceSettled' && data.invoiceId === invoiceId,
  ).length

/** What the trail says about the end of the invoice. */
const trailOfEnd = () =>
  until('the trail has the reason', async () => {
    const filter = `filter: { type: "UsageInvoiceEnded" }, first: 50`
    const { trail } = await shop.asRoot(`{ trail(${filter}) { nodes { actor { kind } facts { name value } } } }`)
    type Entry = {
      readonly actor: { readonly kind: string }
      readonly facts: readonly { name: string; value: string }[]
    }
    return (trail.nodes as Entry[])[0]
  })

test('a settled invoice is paid at the provider and here, and settles its credits once', async () => {
  await forUsage()
  const variables = { id: invoiceId, reason: 'paid by bank transfer' }
  expect((await shop.asRoot(SETTLE, variables)).settleInvoice).toEqual({ id: invoiceId, status: 'PAID' })
  expect(await shop.stripe.invoices.retrieve(invoiceId)).toMatchObject({ status: 'paid', paid_out_of_band: true })
  expect(await settlements()).toBe(1)
  const { actor, facts } = await trailOfEnd()
  expect(actor.kind.toUpperCase()).toBe('USER')
  expect(facts).toContainEqual({ name: 'reason', value: 'paid by bank transfer' })
  await shop.paymentEventsProcessed()
  expect((await shop.asRoot(SETTLE, variables)).settleInvoice.status).toBe('PAID')
  expect(await settlements()).toBe(1)
})

test('a voided invoice is void at the provider and here, without its event, and settles nothing', async () => {
  await forUsage()
  const variables = { id: invoiceId, reason: 'agreed with the customer' }
  expect((await shop.asRoot(VOID, variables)).voidInvoice).toEqual({ id: invoiceId, status: 'VOID' })
  expect((await shop.stripe.invoices.retrieve(invoiceId)).status).toBe('void')
  expect(await settlements()).toBe(0)
  const { errors } = await shop.ask(SETTLE, variables, shop.superAdmin.token)
  expect(errors).toHaveLength(1)
})

test('another invoice, an unknown one and a missing reason are refused before the provider is asked', async () => {
  const codeOf = async (id: string, reason: string) => {
    const { errors } = await shop.ask(VOID, { id, reason }, shop.superAdmin.token)
    return errors?.[0]?.extensions.code
  }
  expect(await codeOf(invoiceId, 'a reason')).toBe('BAD_USER_INPUT')
  expect(await codeOf('in_unknown', 'a reason')).toBe('NOT_FOUND')
  await forUsage()
  expect(await codeOf(invoiceId, ' ')).toBe('BAD_USER_INPUT')
  expect((await shop.stripe.invoices.retrieve(invoiceId)).status).toBe('open')
})
