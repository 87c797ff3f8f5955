import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BEGINNING } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import { creditPackDecider } from '../../domain/creditPack/decider.ts'
import { packById } from '../../projections/creditPacks/queries.ts'
import { type PaymentHarness, startPaymentHarness } from '../support/harness/paymentHarness.ts'
import { until } from '../support/time/until.ts'

const CREATE_PACK = 'mutation ($input: CreateCreditPackInput!) { createCreditPack(input: $input) { id } }'
const CHECKOUT = 'mutation ($input: CreateCheckoutInput!) { createCheckout(input: $input) { id url purchaseId } }'
const CREATE_PLAN = 'mutation ($input: CreatePlanInput!) { createPlan(input: $input) { id } }'
const SYNC = 'mutation { syncAllPlansProviderPricing { id } }'
const PACK = { name: 'Starter', credits: 1000, price: 10, currency: 'usd', sortOrder: 1 }
const PLAN = { name: 'Team', billingMode: 'PREPAID', price: 49, currency: 'usd', creditsPerPeriod: 5000 }
const context = () => ({
  commandId: randomUUID(),
  correlationId: 'test',
  actor: { kind: 'system', name: 'test' } as const,
})

/** The installation's API key is wrong, so that the provider refuses every request. */
let shop: PaymentHarness
beforeAll(async () => {
  shop = await startPaymentHarness({ env: { STRIPE_SECRET_KEY: 'rk_not_a_key' } })
})
afterAll(() => shop.close())

/** The events of packs and purchases so far: what else runs may append other ones. */
async function stored(): Promise<number> {
  const categories = ['creditPack', 'purchase'] as const
  const { events } = await shop.runtime.engines.store.readAll({ after: BEGINNING, categories, limit: 1_000 })
  return events.length
}

test('a credit pack that the provider refuses to price is not created', async () => {
  const before = await stored()
  const { code, errors } = await shop.ask(CREATE_PACK, { input: PACK }, shop.superAdmin.token)
  expect(code).toBe('PROVIDER_ERROR')
  expect(errors?.[0].message).not.toMatch(/rk_|API Key/)
  expect(await stored()).toBe(before)
})

test('a credit pack that is not valid is refused before the provider is asked', async () => {
  const { code, errors } = await shop.ask(CREATE_PACK, { input: { ...PACK, credits: 0 } }, shop.superAdmin.token)
  expect(code).toBe('BAD_USER_INPUT')
  expect(errors?.[0].message).toMatch(/credits of a pack/)
})

test('a failed checkout of a pack leaves no purchase, and names what the caller can do', async () => {
  const packId = randomUUID()
  const { commands, database } = shop.runtime.engines
  const at = '2026-03-01T10:00:00.000Z'
  const offer = { name: 'Pack', creditsMicros: 1n, price: '1', currency: 'usd', sortOrder: 9 }
  const pricing = { productId: 'prod_1', priceId: 'price_1' }
  const stream = streamName('creditPack', packId)
  await commands.handle(
    creditPackDecider,
    stream,
    { type: 'CreateCreditPack', packId, ...offer, pricing, at },
    context(),
  )
  await until('the pack is for sale', async () => (await packById(database, packId))?.status === 'ACTIVE')
  const before = await stored()
  const { code, errors } = await shop.ask(CHECKOUT, { input: { packId } }, shop.admin.token)
  expect(code).toBe('PROVIDER_ERROR')
  expect(errors?.[0].message).toMatch(/operator/)
  expect(errors?.[0].message).not.toMatch(/rk_|API Key/)
  expect(await stored()).toBe(before)
  expect((await shop.asAdmin('{ purchases { id } }')).purchases).toEqual([])
  const logged = (text: string) =>
    readFileSync(shop.logFile, 'utf8')
      .split('\n')
      .find((line) => line.includes(text))
  const line = await until('the fault is logged', () => logged('refuses our API key'))
  expect(JSON.parse(line)).toMatchObject({ level: 50 })
})

test('a failed synchronisation of plans names the plans without a price, and how to go on', async () => {
  const { createPlan } = await shop.asRoot(CREATE_PLAN, { input: PLAN })
  const { code, errors } = await shop.ask(SYNC, {}, shop.superAdmin.token)
  expect(code).toBe('PROVIDER_ERROR')
  expect(errors?.[0].message).toContain(createPlan.id)
  expect(errors?.[0].message).toMatch(/call syncAllPlansProviderPricing again/)
})
