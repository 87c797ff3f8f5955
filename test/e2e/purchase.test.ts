import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPaymentProvider } from '../../capabilities/payments/paymentProvider.ts'
import { streamName } from '../../contracts/streams.ts'
import { creditPackDecider } from '../../domain/creditPack/decider.ts'
import { purchaseDecider } from '../../domain/purchase/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { packById } from '../../projections/creditPacks/queries.ts'
import { pricePacks } from '../../services/reactor/pricePacks.ts'
import { PASSWORD } from '../support/harness/backendHarness.ts'
import { callIdOf, chatBody } from '../support/harness/gatewayClient.ts'
import { type PaymentHarness, startPaymentHarness } from '../support/harness/paymentHarness.ts'
import { press } from '../support/harness/paymentSandboxClient.ts'
import { deliver, providerEvent, signed } from '../support/parties/paymentEventDelivery.ts'
import { until } from '../support/time/until.ts'

const CREATE_PACK = `mutation ($input: CreateCreditPackInput!) {
  createCreditPack(input: $input) { id name credits price currency sortOrder } }`
const CHECKOUT = 'mutation ($input: CreateCheckoutInput!) { createCheckout(input: $input) { id url purchaseId } }'
const PURCHASES = '{ purchases { id packId status credits price currency creditsRefunded createdAt completedAt } }'
const TRANSACTIONS = '{ creditTransactions { nodes { id type credits amountMicros description } } }'
const INVOICES = '{ invoices { id providerInvoiceId status amount currency paidAt overdue } }'
const context = () => ({
  commandId: randomUUID(),
  correlationId: 'test',
  actor: { kind: 'system', name: 'test' } as const,
})
const AT = '2026-03-01T10:00:00.000Z'

let shop: PaymentHarness
beforeAll(async () => {
  shop = await startPaymentHarness({ credits: '5' })
})
afterAll(() => shop.close())

type Transaction = { type: string; credits: number; description: string }
const transactions = async (): Promise<Transaction[]> => (await shop.asAdmin(TRANSACTIONS)).creditTransactions.nodes
const balance = async (): Promise<number> => (await shop.asAdmin('{ creditBalance { credits } }')).creditBalance.credits
const createPack = async (changes: object = {}) => {
  const input = { name: 'Starter', credits: 1000.5, price: 10, currency: 'usd', sortOrder: 1, ...changes }
  return (await shop.asRoot(CREATE_PACK, { input })).createCreditPack
}

test('a whole purchase: login, checkout, payment, credits, a call, a refund', async () => {
  const login = 'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { token } }'
  const { data } = await shop.ask(login, { email: shop.admin.email, password: PASSWORD })
  const pack = await createPack()
  expect(pack).toEqual({
    id: expect.any(String),
    name: 'Starter',
    credits: 1000.5,
    price: 10,
    currency: 'usd',
    sortOrder: 1,
  })
  expect((await shop.asAdmin('{ creditPacks { id name } }')).creditPacks).toContainEqual({
    id: pack.id,
    name: 'Starter',
  })

  const reply = await shop.ask(CHECKOUT, { input: { packId: pack.id } }, data.login.token)
  const { url, purchaseId, id: sessionId } = reply.data.createCheckout
  expect((await shop.asAdmin(PURCHASES)).purchases).toMatchObject([{ id: purchaseId, status: 'PENDING' }])
  const { metadata } = await shop.stripe.checkout.sessions.retrieve(sessionId)
  expect(metadata).toMatchObject({ companyId: shop.companyId, userId: shop.admin.userId, purchaseId })

  expect((await press(url, 'pay')).status).toBe(303)
  const bought = await shop.untilSeen(
    'the purchase is completed',
    PURCHASES,
    ({ purchases }) => purchases[0].completedAt,
  )
  expect(bought.purchases).toMatchObject([
    { id: purchaseId, packId: pack.id, status: 'COMPLETED', credits: 1000.5, price: 10, creditsRefunded: 0 },
  ])
  await until('the credits are there', async () => (await balance()) === 1005.5)
  const granted = await until('the transaction is there', async () =>
    (await transactions()).find(({ type }) => type === 'PACK_PURCHASE'),
  )
  expect(granted.credits).toBe(1000.5)
  const billed = await shop.untilSeen('the invoice is there', INVOICES, ({ invoices }) => invoices.length === 1)
  expect(billed.invoices).toMatchObject([{ status: 'PAID', amount: 10, currency: 'usd', overdue: false }])

  const answer = await shop.chat(chatBody())
  expect(answer.status).toBe(200)
  expect((await shop.ending(callIdOf(answer))).type).toBe('CallCharged')

  const { data: charges } = await shop.stripe.charges.list({ limit: 1 })
  await shop.control(`charges/${charges[0]?.id}/refund`, { amount: 250 })
  await until('a quarter is taken back', async () => (await transactions()).find(({ type }) => type === 'REFUND'))
  expect(await transactions()).toContainEqual(expect.objectContaining({ type: 'REFUND', credits: -250.125 }))
  await shop.control(`charges/${charges[0]?.id}/refund`)
  const back = await shop.untilSeen(
    'all is taken back',
    PURCHASES,
    ({ purchases }) => purchases[0].creditsRefunded > 251,
  )
  expect(back.purchases).toMatchObject([{ status: 'COMPLETED', creditsRefunded: 1000.5 }])
  await until('both refunds are on the ledger', async () => {
    const refunds = (await transactions()).filter(({ type }) => type === 'REFUND')
    return refunds.reduce((sum, { credits }) => sum + credits, 0) === -1000.5
  })
})

test('the provider ids of a credit pack are not in the schema, and a query for them runs nothing', async () => {
  const query = '{ creditPacks { id status providerProductId } }'
  const { code, errors } = await shop.ask(query, {}, shop.admin.token)
  expect(code).toBe('BAD_USER_INPUT')
  expect(errors?.[0].message).toMatch(/Cannot query field/)
})

test.each([
  ['jpy', 1200, 1200],
  ['kwd', 1.5, 1500],
  ['usd', 0.99, 99],
  ['isk', 5, 500],
  ['ugx', 20000, 2000000],
])(
  'a price in %s of %d is %d in the smallest unit, once, under a name of ours',
  async (currency, price, unitAmount) => {
    const { id } = await createPack({ currency, price })
    const { data } = await shop.stripe.prices.list({ product: `tollgate_pack_${id}` })
    expect(data).toMatchObject([{ unit_amount: unitAmount, currency, type: 'one_time' }])
  },
)

test('a pack whose creation stopped before its price was created gets it later, without a second product', async () => {
  const packId = randomUUID()
  const { commands, database } = shop.runtime.engines
  const stream = streamName('creditPack', packId)
  const offer = { name: 'Orphan', creditsMicros: 1n, price: '1', currency: 'usd', sortOrder: 8 }
  await commands.handle(creditPackDecider, stream, { type: 'CreateCreditPack', packId, ...offer, at: AT }, context())
  await until('it is known', () => packById(database, packId))
  const provider = openPaymentProvider(shop.runtime.config)
  await Promise.all([pricePacks(shop.runtime, provider), pricePacks(shop.runtime, provider)])
  const priced = await until('it is for sale', async () => {
    const row = await packById(database, packId)
    return row?.status === 'ACTIVE' && row
  })
  const { data } = await shop.stripe.prices.list({ product: `tollgate_pack_${packId}` })
  expect(data.map(({ id }) => id)).toEqual([priced.providerPriceId])
})

describe('a checkout', () => {
  test('on a price that the provider does not know fails with its own message', async () => {
    const packId = randomUUID()
    const { commands, database } = shop.runtime.engines
    const stream = streamName('creditPack', packId)
    const offer = { name: 'Gone', creditsMicros: 1n, price: '1', currency: 'usd', sortOrder: 9 }
    const at = isoTime(Date.now())
    await commands.handle(creditPackDecider, stream, { type: 'CreateCreditPack', packId, ...offer, at }, context())
    const ids = { productId: 'prod_gone', priceId: 'price_gone' }
    await commands.handle(creditPackDecider, stream, { type: 'PriceCreditPack', packId, ...ids, at }, context())
    await until('the pack is there', async () => {
      const rows = await database.query("select 1 from read_models.credit_packs where provider_price_id = 'price_gone'")
      return rows.length === 1
    })
    const { code, errors } = await shop.ask(CHECKOUT, { input: { packId } }, shop.admin.token)
    expect(code).toBe('PROVIDER_ERROR')
    expect(errors?.[0].message).toBe("No such price: 'price_gone'")
  })

  test('needs either a pack or a plan', async () => {
    for (const input of [{}, { packId: randomUUID(), planId: randomUUID() }]) {
      expect((await shop.ask(CHECKOUT, { input }, shop.admin.token)).code).toBe('BAD_USER_INPUT')
    }
    const unknown = { packId: randomUUID() }
    expect((await shop.ask(CHECKOUT, { input: unknown }, shop.admin.token)).code).toBe('NOT_FOUND')
  })

  test('that is declined leaves the purchase pending', async () => {
    const { id: packId } = await createPack()
    const { createCheckout } = await shop.asAdmin(CHECKOUT, { input: { packId } })
    await press(createCheckout.url, 'decline')
    const { purchases } = await shop.asAdmin(PURCHASES)
    expect(purchases.find(({ id }: { id: string }) => id === createCheckout.purchaseId).status).toBe('PENDING')
  })
})

test('a failed payment event shows its reason, and succeeds when it is replayed after the cause is fixed', async () => {
  const purchaseId = randomUUID()
  const object = { id: 'cs_late', mode: 'payment', payment_status: 'paid', metadata: { purchaseId } }
  const event = providerEvent('checkout.session.completed', { ...object, amount_total: 1000, currency: 'usd' })
  const body = JSON.stringify(event)
  expect((await deliver(shop.url, body, signed(body, Math.floor(Date.now() / 1000)))).status).toBe(200)
  const EVENTS = '{ webhookEvents { id type status error processedAt } }'
  const seen = async (status: string) =>
    (await shop.asRoot(EVENTS)).webhookEvents.find(
      (one: { id: string; status: string }) => one.id === event.id && one.status === status,
    )
  const failed = await until('it has failed', () => seen('FAILED'))
  expect(failed).toMatchObject({ type: 'checkout.session.completed', error: expect.stringContaining('no purchase') })

  const { companyId, admin, runtime } = shop
  const offer = {
    packId: randomUUID(),
    creditsMicros: '7000000',
    price: '10',
    currency: 'usd',
    sessionId: 'cs_late',
    expiresAt: '2099-01-01T00:00:00.000Z',
  }
  const start = { type: 'StartPurchase', purchaseId, companyId, userId: admin.userId, ...offer, at: AT } as const
  await runtime.engines.commands.handle(purchaseDecider, streamName('purchase', purchaseId), start, context())
  const replay = 'mutation ($id: ID!) { replayWebhook(id: $id) { id status error } }'
  expect((await shop.asRoot(replay, { id: event.id })).replayWebhook.id).toBe(event.id)
  await until('it is carried out', () => seen('PROCESSED'))
  const granted = () => transactions().then((all) => all.filter(({ description }) => description.includes(purchaseId)))
  await until('its credits are there', async () => (await granted()).length === 1)
  await shop.asRoot(replay, { id: event.id })
  await until('it is processed once more', () => seen('PROCESSED'))
  expect(await granted()).toHaveLength(1)
})

test('a payment event without one of our companies is shown as such', async () => {
  const object = { id: 'ch_foreign', amount: 100, amount_refunded: 100, customer: null, invoice: 'in_foreign' }
  const event = providerEvent('charge.refunded', object)
  const body = JSON.stringify(event)
  await deliver(shop.url, body, signed(body, Math.floor(Date.now() / 1000)))
  const processed = await until('it is processed', async () => {
    const { webhookEvents } = await shop.asRoot('{ webhookEvents(status: PROCESSED) { id effect error } }')
    return webhookEvents.find(({ id }: { id: string }) => id === event.id)
  })
  expect(processed).toEqual({ id: event.id, effect: 'nothing: it names none of our companies', error: null })
})
