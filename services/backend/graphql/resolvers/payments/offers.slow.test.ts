import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planOffer } from '../../../../../capabilities/payments/offers.ts'
import { openPaymentProvider } from '../../../../../capabilities/payments/paymentProvider.ts'
import { DEMO_ACTOR } from '../../../../../contracts/demoActor.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { creditPackDecider } from '../../../../../domain/creditPack/decider.ts'
import { planDecider } from '../../../../../domain/plan/decider.ts'
import { isoTime } from '../../../../../platform/clock/clock.ts'
import { planById } from '../../../../../projections/plans/queries.ts'
import { type PaymentHarness, startPaymentHarness } from '../../../../../test/support/harness/paymentHarness.ts'
import { press } from '../../../../../test/support/harness/paymentSandboxClient.ts'
import { until } from '../../../../../test/support/time/until.ts'

const CREATE_PLAN = 'mutation ($input: CreatePlanInput!) { createPlan(input: $input) { id name sortOrder } }'
const UPDATE_PLAN =
  'mutation ($id: ID!, $input: UpdatePlanInput!) { updatePlan(id: $id, input: $input) { id name sortOrder } }'
const CREATE_PACK = 'mutation ($input: CreateCreditPackInput!) { createCreditPack(input: $input) { id } }'
const UPDATE_PACK =
  'mutation ($id: ID!, $input: UpdateCreditPackInput!) { updateCreditPack(id: $id, input: $input) { name sortOrder } }'
const RETIRE_PACK = 'mutation ($id: ID!) { retireCreditPack(id: $id) { id name } }'
const SYNC = 'mutation { syncAllPlansProviderPricing { id providerPriceId } }'
const CHECKOUT = 'mutation ($input: CreateCheckoutInput!) { createCheckout(input: $input) { url purchaseId } }'
const PLAN = { name: 'Team', billingMode: 'PREPAID', price: 49, currency: 'usd', creditsPerPeriod: 500 }
const PACK = { name: 'Starter', credits: 100, price: 10, currency: 'usd', sortOrder: 1 }

let shop: PaymentHarness
beforeAll(async () => {
  shop = await startPaymentHarness()
})
afterAll(() => shop.close())

const createPlan = async (changes: object = {}): Promise<string> =>
  (await shop.asRoot(CREATE_PLAN, { input: { ...PLAN, ...changes } })).createPlan.id
const createPack = async (changes: object = {}): Promise<string> =>
  (await shop.asRoot(CREATE_PACK, { input: { ...PACK, ...changes } })).createCreditPack.id
const nameAtProvider = async (product: string) => (await shop.stripe.products.retrieve(product)).name

test('plans and packs are listed in their sort order, which can be changed', async () => {
  const [first, second] = [await createPlan({ name: 'A', sortOrder: 1 }), await createPlan({ name: 'B', sortOrder: 2 })]
  const [one, two] = [await createPack({ name: 'a', sortOrder: 11 }), await createPack({ name: 'b', sortOrder: 12 })]
  const listed = async (query: 'plans' | 'creditPacks', ids: readonly string[]) =>
    ((await shop.asAdmin(`{ ${query} { id } }`))[query] as { id: string }[])
      .map(({ id }) => id)
      .filter((id) => ids.includes(id))
  expect(await listed('plans', [first, second])).toEqual([first, second])
  expect(await listed('creditPacks', [one, two])).toEqual([one, two])
  const { updatePlan } = await shop.asRoot(UPDATE_PLAN, { id: second, input: { sortOrder: -1 } })
  expect(updatePlan).toEqual({ id: second, name: 'B', sortOrder: -1 })
  await shop.asRoot(UPDATE_PACK, { id: one, input: { sortOrder: 13 } })
  expect(await listed('plans', [first, second])).toEqual([second, first])
  expect(await listed('creditPacks', [one, two])).toEqual([two, one])
})

test('a new name goes to the product at the provider, also if the same one is given again', async () => {
  const planId = await createPlan()
  await shop.asRoot(SYNC)
  const product = `tollgate_plan_${planId}`
  for (const name of ['Crew', 'Team', 'Crew']) {
    expect((await shop.asRoot(UPDATE_PLAN, { id: planId, input: { name } })).updatePlan.name).toBe(name)
    expect(await nameAtProvider(product)).toBe(name)
  }
  // As after a crash between the event and the provider.
  await shop.stripe.products.update(product, { name: 'Lost' })
  await shop.asRoot(UPDATE_PLAN, { id: planId, input: { name: 'Crew' } })
  expect(await nameAtProvider(product)).toBe('Crew')

  const packId = await createPack()
  const { updateCreditPack } = await shop.asRoot(UPDATE_PACK, { id: packId, input: { name: 'First' } })
  expect(updateCreditPack).toEqual({ name: 'First', sortOrder: 1 })
  expect(await nameAtProvider(`tollgate_pack_${packId}`)).toBe('First')
})

test('renames at the same time leave the provider with the name that the plan has here', async () => {
  const planId = await createPlan()
  await shop.asRoot(SYNC)
  const names = ['One', 'Two', 'Three', 'Four']
  await Promise.all(names.map((name) => shop.asRoot(UPDATE_PLAN, { id: planId, input: { name } })))
  const { plans } = await shop.asAdmin('{ plans { id name } }')
  const { name } = plans.find(({ id }: { id: string }) => id === planId)
  expect(await nameAtProvider(`tollgate_plan_${planId}`)).toBe(name)
})

test('a plan that was renamed after a failed attempt to price it is priced under its new name', async () => {
  const planId = await createPlan({ name: 'Before' })
  const row = await planById(shop.runtime.engines.database, planId)
  if (!row) throw new Error('the plan is in the read model')
  // Everything the process does before it dies.
  await openPaymentProvider(shop.runtime.config).ensureOffer(planOffer(row))
  await shop.asRoot(UPDATE_PLAN, { id: planId, input: { name: 'After' } })
  const { syncAllPlansProviderPricing: plans } = await shop.asRoot(SYNC)
  expect(plans.find(({ id }: { id: string }) => id === planId).providerPriceId).toMatch(/^price_/)
  expect(await nameAtProvider(`tollgate_plan_${planId}`)).toBe('After')
  expect((await shop.stripe.prices.list({ product: `tollgate_plan_${planId}` })).data).toHaveLength(1)
})

test('a change that changes nothing, or of an unknown plan or pack, is refused', async () => {
  const id = await createPlan()
  await expect(shop.asRoot(UPDATE_PLAN, { id, input: {} })).rejects.toThrow(/nothing to change.*BAD_USER_INPUT/)
  await expect(shop.asRoot(UPDATE_PLAN, { id: randomUUID(), input: { name: 'x' } })).rejects.toThrow(/NOT_FOUND/)
  await expect(shop.asRoot(UPDATE_PACK, { id: randomUUID(), input: { name: 'x' } })).rejects.toThrow(/NOT_FOUND/)
  await expect(shop.asRoot(RETIRE_PACK, { id: randomUUID() })).rejects.toThrow(/NOT_FOUND/)
})

test('a retired pack is not listed and can be bought only on a checkout page that was already open', async () => {
  const packId = await createPack({ name: 'Short-lived' })
  const { createCheckout } = await shop.asAdmin(CHECKOUT, { input: { packId } })
  expect((await shop.asRoot(RETIRE_PACK, { id: packId })).retireCreditPack).toEqual({ id: packId, name: 'Short-lived' })
  expect((await shop.asRoot(RETIRE_PACK, { id: packId })).retireCreditPack.id).toBe(packId)
  const { creditPacks } = await shop.asAdmin('{ creditPacks { id } }')
  expect(creditPacks.map(({ id }: { id: string }) => id)).not.toContain(packId)
  await expect(shop.asAdmin(CHECKOUT, { input: { packId } })).rejects.toThrow(/NOT_FOUND/)
  await press(createCheckout.url, 'pay')
  type Purchase = { id: string; status: string }
  await shop.untilSeen('the open page was paid', '{ purchases { id status } }', ({ purchases }) =>
    purchases.some(({ id, status }: Purchase) => id === createCheckout.purchaseId && status === 'COMPLETED'),
  )
})

test('the plan and the pack of the demo get their prices from the reactor, other plans only on request', async () => {
  const { commands } = shop.runtime.engines
  const [planId, packId] = [randomUUID(), randomUUID()]
  const context = () => ({ commandId: randomUUID(), correlationId: 'demo', actor: DEMO_ACTOR })
  const offer = { name: 'Demo', price: '10', currency: 'usd', at: isoTime(shop.runtime.clock.now()) }
  const plan = { type: 'CreatePlan', planId, ...offer, billingMode: 'PREPAID', creditsPerPeriodMicros: 1n } as const
  const pack = { type: 'CreateCreditPack', packId, ...offer, creditsMicros: 1n, sortOrder: 1 } as const
  const other = await createPlan()
  await commands.handle(planDecider, streamName('plan', planId), plan, context())
  await commands.handle(creditPackDecider, streamName('creditPack', packId), pack, context())
  await until('the pack can be bought', () => bought({ packId }))
  await until('the plan can be bought', () => bought({ planId }))
  await expect(shop.asAdmin(CHECKOUT, { input: { planId: other } })).rejects.toThrow(/no price/)
})

/** null while there is no price. */
function bought(input: object): Promise<unknown> {
  return shop.asAdmin(CHECKOUT, { input }).catch((error: unknown) => {
    if (!/no price|NOT_FOUND/.test(String(error))) throw error
    return null
  })
}
