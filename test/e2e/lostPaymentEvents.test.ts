import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPaymentProvider } from '../../capabilities/payments/paymentProvider.ts'
import { streamName } from '../../contracts/streams.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { ASK_EVERY_MS, createProviderQuestions } from '../../services/reactor/askProvider.ts'
import { call, chatBody } from '../support/harness/gatewayClient.ts'
import { type PaymentHarness, startPaymentHarness } from '../support/harness/paymentHarness.ts'
import { press } from '../support/harness/paymentSandboxClient.ts'
import { deliver, providerEvent, signed } from '../support/parties/paymentEventDelivery.ts'
import { until } from '../support/time/until.ts'

const CREATE_PACK = 'mutation ($input: CreateCreditPackInput!) { createCreditPack(input: $input) { id } }'
const CHECKOUT = 'mutation ($input: CreateCheckoutInput!) { createCheckout(input: $input) { url purchaseId } }'

/** Open invoices, new invoices, refunds, checkout sessions, disputes. */
const KINDS = 5

let shop: PaymentHarness
let ask: () => Promise<void>
beforeAll(async () => {
  shop = await startPaymentHarness({ credits: '5' })
  const { runtime } = shop
  const { engines, log, config, clock } = runtime
  const provider = openPaymentProvider(config)
  const stopping = new AbortController().signal
  ask = createProviderQuestions({ engines, clock, log, provider, holder: 'the test', stopping })
})
afterAll(() => shop.close())

/**
 * Queries the provider about everything, as if the last query were a day ago. The reactor of the harness may hold the lease
 * for a moment.
 */
async function askADayLater(): Promise<void> {
  const { database } = shop.runtime.engines
  await database.query("update platform.provider_questions set begun_at = begun_at - $1 * interval '1 ms'", [
    ASK_EVERY_MS,
  ])
  const since = isoTime(shop.runtime.clock.now())
  const finished = 'select kind from platform.provider_questions where finished_at is not null and begun_at >= $1'
  await until('everything was asked about', async () => {
    await ask()
    return (await database.query(finished, [since])).length === KINDS
  })
}

const chat = async () => {
  const { status } = await call(shop.gatewayUrl, '/llm/v1/chat/completions', { key: shop.key.raw, body: chatBody() })
  return status
}
const register = (types: 'none' | 'required' | 'all') => shop.control('webhook-types', { types })
const statusOf = async (id: string): Promise<string | undefined> => {
  const { invoices } = await shop.asAdmin('{ invoices { id status } }')
  return invoices.find((one: { id: string }) => one.id === id)?.status
}

/** An invoice of the past that the company has not paid, so that its calls are refused. */
async function overdueInvoice(): Promise<string> {
  const fields = { amount: 4_900, due_date: '2026-01-01', metadata: { companyId: shop.companyId } }
  const id = String((await shop.control('invoices', fields)).id)
  await until('it is listed', async () => (await statusOf(id)) === 'OPEN')
  await until('calls are refused', async () => (await chat()) === 403)
  return id
}

test('the reactor queries the provider by itself', async () => {
  const { database } = shop.runtime.engines
  const finished = 'select kind from platform.provider_questions where finished_at is not null'
  await until('everything was asked about', async () => (await database.query(finished)).length === KINDS)
})

test('the daily query recovers a subscription, its payment and its refund if all payment events were lost', async () => {
  const credits = async () => (await shop.asAdmin('{ creditBalance { credits } }')).creditBalance.credits
  const input = { name: 'Team', billingMode: 'PREPAID', price: 49, currency: 'usd', creditsPerPeriod: 500 }
  const create = 'mutation ($input: CreatePlanInput!) { createPlan(input: $input) { id } }'
  const planId = (await shop.asRoot(create, { input })).createPlan.id
  await shop.asRoot('mutation { syncAllPlansProviderPricing { id } }')
  const { url } = (await shop.asAdmin(CHECKOUT, { input: { planId } })).createCheckout
  const before = await credits()
  await register('none')
  await press(url, 'pay')
  await askADayLater()
  const query = '{ subscription { id planId isActive } }'
  const { subscription } = await shop.untilSeen('it is active', query, (data) => data.subscription?.isActive)
  expect(subscription.planId).toBe(planId)
  await until('its credits are granted', async () => (await credits()) === before + 500)
  const charge = (await shop.stripe.charges.list({ limit: 1 })).data[0]?.id ?? ''
  await shop.control(`charges/${charge}/refund`)
  await askADayLater()
  await until('they are taken back', async () => (await credits()) === before)
  await register('required')
  await shop.control(`subscriptions/${subscription.id}/cancel`)
  await shop.untilSeen('it is over', query, (data) => !data.subscription?.isActive)
})

describe('an overdue invoice of a postpaid company that is voided', () => {
  beforeAll(async () => {
    const create = 'mutation ($input: CreatePlanInput!) { createPlan(input: $input) { id } }'
    const terms = { billingMode: 'POSTPAID', price: 100, currency: 'usd', creditsPerPeriod: 1000, dueDays: 14 }
    const planId = (await shop.asRoot(create, { input: { name: 'Enterprise', ...terms } })).createPlan.id
    const about = `companyId: "${shop.companyId}", billingMode: POSTPAID, planId: "${planId}"`
    await shop.asRoot(`mutation { setCompanyBillingMode(${about}) { id } }`)
  })

  test('unblocks the company by its payment event, if the endpoint is registered for it', async () => {
    await register('all')
    const id = await overdueInvoice()
    await shop.stripe.invoices.voidInvoice(id)
    await until('calls are accepted', async () => (await chat()) === 200)
    await until('it is shown as void', async () => (await statusOf(id)) === 'VOID')
    await register('required')
  })

  test('unblocks the company by the daily query, without a payment event', async () => {
    const id = await overdueInvoice()
    await shop.stripe.invoices.voidInvoice(id)
    await askADayLater()
    await until('calls are accepted', async () => (await chat()) === 200)
    await until('it is shown as void', async () => (await statusOf(id)) === 'VOID')
    const answers = await until('its answer is processed', async () => {
      const { webhookEvents } = await shop.asRoot('{ webhookEvents(status: PROCESSED) { id type } }')
      const found = webhookEvents.filter((one: { id: string }) => one.id.startsWith(`asked_${id}`))
      return found.length > 0 ? found : undefined
    })
    expect(answers).toMatchObject([{ type: 'invoice.voided' }])
  })

  test('is queried once a day', async () => {
    const id = await overdueInvoice()
    await askADayLater()
    await shop.stripe.invoices.voidInvoice(id)
    await ask()
    expect(await statusOf(id)).toBe('OPEN')
    await askADayLater()
    await until('calls are accepted', async () => (await chat()) === 200)
  })

  test.each(['all', 'required'] as const)(
    'keeps the company blocked while it is only uncollectible (%s)',
    async (types) => {
      await register(types)
      const id = await overdueInvoice()
      await shop.stripe.invoices.markUncollectible(id)
      if (types === 'required') await askADayLater()
      await until('it is uncollectible', async () => (await statusOf(id)) === 'UNCOLLECTIBLE')
      expect(await chat()).toBe(403)
      await shop.stripe.invoices.voidInvoice(id)
      if (types === 'required') await askADayLater()
      await until('calls are accepted', async () => (await chat()) === 200)
      await register('required')
    },
  )
})

test('a purchase whose payment event was lost is completed by the daily query', async () => {
  const input = { name: 'Lost', credits: 7, price: 10, currency: 'usd', sortOrder: 1 }
  const packId = (await shop.asRoot(CREATE_PACK, { input })).createCreditPack.id
  const { url, purchaseId } = (await shop.asAdmin(CHECKOUT, { input: { packId } })).createCheckout
  await register('none')
  await press(url, 'pay')
  await register('required')
  const statusNow = async () => {
    const { purchases } = await shop.asAdmin('{ purchases { id status } }')
    return purchases.find(({ id }: { id: string }) => id === purchaseId)?.status
  }
  expect(await statusNow()).toBe('PENDING')
  await askADayLater()
  await until('it is completed', async () => (await statusNow()) === 'COMPLETED')
})

describe('a refund that fails', () => {
  const net = async (purchaseId: string): Promise<bigint> => {
    let sum = 0n
    for await (const { type, data } of shop.runtime.engines.store.readStream(streamName('ledger', shop.companyId))) {
      if (!('reason' in data) || !data.reason.includes(purchaseId)) continue
      if (type === 'CreditsGranted' || type === 'CreditsAdjusted') sum += BigInt(data.amountMicros)
      if (type === 'CreditsRefunded') sum -= BigInt(data.amountMicros)
    }
    return sum
  }

  test.each(['all', 'required'] as const)(
    'gives its credits back, and takes them when made again (%s)',
    async (types) => {
      await register(types)
      const input = { name: `Pack ${types}`, credits: 100, price: 10, currency: 'usd', sortOrder: 1 }
      const packId = (await shop.asRoot(CREATE_PACK, { input })).createCreditPack.id
      const { url, purchaseId } = (await shop.asAdmin(CHECKOUT, { input: { packId } })).createCheckout
      await press(url, 'pay')
      await until('the credits are granted', async () => (await net(purchaseId)) === 100_000_000n)
      const charge = (await shop.stripe.charges.list({ limit: 1 })).data[0]?.id ?? ''
      const refund = await shop.control(`charges/${charge}/refund`)
      await until('they are taken back', async () => (await net(purchaseId)) === 0n)
      await shop.control(`refunds/${String(refund.id)}/fail`)
      if (types === 'required') await askADayLater()
      await until('they are given back', async () => (await net(purchaseId)) === 100_000_000n)
      await shop.control(`charges/${charge}/refund`)
      if (types === 'required') await askADayLater()
      await until('they are taken again', async () => (await net(purchaseId)) === 0n)
      await register('required')
    },
  )
})

test('a dispute that the payment provider does not know is processed without an effect on the ledger', async () => {
  const before = (await shop.ledgerOf(shop.companyId)).length
  const event = providerEvent('charge.dispute.created', { id: 'dp_1', charge: 'ch_1', amount: 100 })
  const payload = JSON.stringify(event)
  const now = Math.floor(shop.runtime.clock.now() / 1_000)
  const { status, text } = await deliver(shop.url, payload, signed(payload, now))
  expect({ status, json: JSON.parse(text) }).toEqual({ status: 200, json: { received: true } })
  await until('it is processed', async () => {
    const { webhookEvents } = await shop.asRoot('{ webhookEvents(status: PROCESSED) { type effect } }')
    return webhookEvents.some(
      ({ type, effect }: { type: string; effect: string }) =>
        type === 'charge.dispute.created' && effect.startsWith('nothing: dispute dp_1'),
    )
  })
  expect(await shop.ledgerOf(shop.companyId)).toHaveLength(before)
})
