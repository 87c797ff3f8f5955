import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PaymentHarness, startPaymentHarness } from '../../../../../test/support/harness/paymentHarness.ts'
import { press } from '../../../../../test/support/harness/paymentSandboxClient.ts'
import { until } from '../../../../../test/support/time/until.ts'

const CREATE_PLAN = 'mutation ($input: CreatePlanInput!) { createPlan(input: $input) { id rolloverShare } }'
const CREATE_PACK = 'mutation ($input: CreateCreditPackInput!) { createCreditPack(input: $input) { id } }'
const CHECKOUT = 'mutation ($input: CreateCheckoutInput!) { createCheckout(input: $input) { url } }'
const LOTS = '{ creditLots { nodes { source grantedCredits leftCredits expiresAt rollover { share expiresAt } } } }'
const PLAN = { name: 'Team', billingMode: 'PREPAID', price: 49, currency: 'usd', creditsPerPeriod: 500 }
const PACK = { name: 'Starter', credits: 100, price: 10, currency: 'usd', sortOrder: 1 }
const DAY_MS = 24 * 60 * 60 * 1_000

let shop: PaymentHarness
beforeAll(async () => {
  shop = await startPaymentHarness()
})
afterAll(() => shop.close())

type Lot = { source: string; expiresAt: string; rollover: { share: number; expiresAt: string } | null }
async function paid(input: object, source: string): Promise<Lot> {
  const { createCheckout } = await shop.asAdmin(CHECKOUT, { input })
  await press(createCheckout.url, 'pay')
  return until(`the lot of ${source} is shown`, async () => {
    const lots: Lot[] = (await shop.asAdmin(LOTS)).creditLots.nodes
    return lots.find((lot) => lot.source === source)
  })
}

test('the credits of a pack can be used for its validDays', async () => {
  const { createCreditPack: pack } = await shop.asRoot(CREATE_PACK, { input: { ...PACK, validDays: 90 } })
  const { createCreditPack: endless } = await shop.asRoot(CREATE_PACK, { input: { ...PACK, sortOrder: 2 } })
  expect((await shop.asAdmin('{ creditPackTerms { packId validDays } }')).creditPackTerms).toEqual([
    { packId: pack.id, validDays: 90 },
    { packId: endless.id, validDays: null },
  ])
  const began = shop.runtime.clock.now()
  const { expiresAt, ...lot } = await paid({ packId: pack.id }, 'PACK_PURCHASE')
  expect(lot).toEqual({ source: 'PACK_PURCHASE', grantedCredits: 100, leftCredits: 100, rollover: null })
  const lastsMs = Date.parse(expiresAt) - began
  // The time of the payment is in whole seconds.
  expect(lastsMs).toBeGreaterThan(90 * DAY_MS - 1_000)
  expect(lastsMs).toBeLessThan(91 * DAY_MS)
})

test('the credits of a plan with a rolloverShare expire with their period, and a share lasts for another one', async () => {
  const { createPlan: plan } = await shop.asRoot(CREATE_PLAN, { input: { ...PLAN, rolloverShare: 0.25 } })
  expect(plan.rolloverShare).toBe(0.25)
  await shop.asRoot('mutation { syncAllPlansProviderPricing { id } }')
  const { expiresAt, rollover } = await paid({ planId: plan.id }, 'SUBSCRIPTION')
  const { subscription } = await shop.asAdmin('{ subscription { currentPeriodEnd } }')
  expect(expiresAt).toBe(subscription.currentPeriodEnd)
  expect(rollover?.share).toBe(0.25)
  expect(Date.parse(rollover?.expiresAt ?? '')).toBeGreaterThan(Date.parse(expiresAt) + 27 * DAY_MS)
})

test.each<[string, string, object, RegExp]>([
  ['a share above 1', CREATE_PLAN, { ...PLAN, rolloverShare: 1.000001 }, /from 0 to 1/],
  ['a negative share', CREATE_PLAN, { ...PLAN, rolloverShare: -0.5 }, /from 0 to 1/],
  ['a share with seven decimals', CREATE_PLAN, { ...PLAN, rolloverShare: 0.1234567 }, /at most 6 decimals/],
  ['a share of a POSTPAID plan', CREATE_PLAN, { ...PLAN, billingMode: 'POSTPAID', rolloverShare: 0.5 }, /POSTPAID/],
  ['a pack for no day', CREATE_PACK, { ...PACK, validDays: 0 }, /from 1 to 3650, not 0/],
  ['a pack for more than ten years', CREATE_PACK, { ...PACK, validDays: 3_651 }, /from 1 to 3650, not 3651/],
])('%s is refused', async (_, mutation, input, message) => {
  await expect(shop.asRoot(mutation, { input })).rejects.toThrow(message)
})
