import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { type Clock, isoTime, systemClock } from '../../platform/clock/clock.ts'
import { anEventOf } from '../support/events/history.ts'
import { granted } from '../support/events/ledgerEvents.ts'
import { type PaymentHarness, startPaymentHarness } from '../support/harness/paymentHarness.ts'
import { press } from '../support/harness/paymentSandboxClient.ts'
import { until } from '../support/time/until.ts'

/** In the middle of the current month, so that no test runs past its end. */
const now = new Date()
const OFFSET_MS = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 15, 12) - now.getTime()
const clock: Clock = { ...systemClock, now: () => systemClock.now() + OFFSET_MS }
const MONTH = isoTime(clock.now()).slice(0, 7)

const CREATE_PACK = 'mutation ($input: CreateCreditPackInput!) { createCreditPack(input: $input) { id } }'
const CHECKOUT = 'mutation ($input: CreateCheckoutInput!) { createCheckout(input: $input) { url purchaseId } }'
const FINDINGS = 'kind text companyId purchaseId invoiceId chargeId'
const RECONCILIATION = `{ reconciliation(month: "${MONTH}") { month hasEnded matches differenceCount explainedCount
  differences { ${FINDINGS} } explained { ${FINDINGS} } payments { currency count amountMinor } refunds { count amountMinor }
  granted { count credits } takenBack { count credits } grantedByHand { count } } }`
const TRAIL = `query ($filter: TrailFilter) { trail(filter: $filter) {
  nodes { type title summary correlationId causationId purchaseId actor { kind name email } } } }`

type Finding = { kind: string; purchaseId: string | null; companyId: string | null; chargeId: string | null }
// biome-ignore lint/suspicious/noExplicitAny: the fields are asserted, not used.
type Answer = any

let shop: PaymentHarness
let packId: string
let reported: string[] = []
beforeAll(async () => {
  shop = await startPaymentHarness({ credits: '5', clock })
  const input = { name: 'Starter', credits: 100, price: 10, currency: 'usd', sortOrder: 1 }
  packId = (await shop.asRoot(CREATE_PACK, { input })).createCreditPack.id
})
afterAll(() => shop.close())

const reconciled = async (): Promise<Answer> => (await shop.asRoot(RECONCILIATION)).reconciliation
const trailOf = async (filter: object): Promise<Answer[]> => (await shop.asAdmin(TRAIL, { filter })).trail.nodes

/** Differences remain, so each test waits for its own. */
async function newDifferences(what: string, count = 1): Promise<Finding[]> {
  const found: Finding[] = await until(what, async () => {
    const { differences } = await reconciled()
    return differences.length === reported.length + count ? differences : undefined
  })
  const added = found.filter(
    ({ kind, chargeId, purchaseId }) => !reported.includes(`${kind} ${chargeId} ${purchaseId}`),
  )
  reported = found.map(({ kind, chargeId, purchaseId }) => `${kind} ${chargeId} ${purchaseId}`)
  return added
}

async function buy(): Promise<{ purchaseId: string; chargeId: string }> {
  const { url, purchaseId } = (await shop.asAdmin(CHECKOUT, { input: { packId } })).createCheckout
  await press(url, 'pay')
  await until('the grant is in the trail', async () => {
    const nodes = await trailOf({ purchaseId, type: 'CreditsGranted' })
    return nodes.length === 1
  })
  const { data } = await shop.stripe.charges.list({ limit: 1 })
  return { purchaseId, chargeId: data[0]?.id ?? '' }
}

async function refunded(purchaseId: string, chargeId: string, amount: number): Promise<void> {
  await shop.control(`charges/${chargeId}/refund`, { amount })
  await until('the refund is in the trail', async () => {
    const types = (await trailOf({ purchaseId })).map(({ type }) => type)
    return types.includes('CreditsRefunded') && types.includes('PurchaseRefundSeen')
  })
}

test('a purchase, its refund and a manual grant leave no difference, and the trail shows the purchase', async () => {
  const { purchaseId, chargeId } = await buy()
  await refunded(purchaseId, chargeId, 250)
  await shop.asRoot(`mutation { adjustCredits(companyId: "${shop.companyId}", credits: 3, reason: "a gift") { id } }`)
  const found = await reconciled()
  expect(found).toMatchObject({
    month: MONTH,
    hasEnded: false,
    matches: true,
    differences: [],
    explained: [],
    payments: [{ currency: 'usd', count: 1, amountMinor: '1000' }],
    refunds: [{ count: 1, amountMinor: '250' }],
    granted: { count: 1, credits: 100 },
    takenBack: { count: 1, credits: 25 },
  })

  const entries = (await trailOf({ purchaseId })).toReversed()
  const types = entries.map(({ type }) => type)
  expect(types).toContain('PurchaseCompleted')
  // Events within one millisecond have no order by time.
  const inOrder = ['PurchaseStarted', 'PurchaseCheckoutOpened', 'CreditsGranted', 'CreditsRefunded']
  expect(types.filter((type) => inOrder.includes(type))).toEqual(inOrder)
  expect(entries[types.indexOf('PurchaseStarted')].actor).toEqual({
    kind: 'USER',
    name: shop.admin.email,
    email: shop.admin.email,
  })
  const grant = entries[types.indexOf('CreditsGranted')]
  expect(grant.actor).toMatchObject({ kind: 'SYSTEM', name: 'reactor' })
  expect(grant.summary).toContain('100 credits')
  await until('the payment event is in the trail', async () => {
    const { trail } = await shop.asRoot(TRAIL, { filter: { correlationId: grant.correlationId } })
    const caused = trail.nodes.map(({ type }: Answer) => type)
    return ['WebhookReceived', 'PurchaseCompleted', 'CreditsGranted'].every((type) => caused.includes(type))
  })
})

test('a payment that only the provider has is reported', async () => {
  const { data } = await shop.stripe.customers.list({ limit: 1 })
  const { data: prices } = await shop.stripe.prices.list({ limit: 1 })
  const session = await shop.stripe.checkout.sessions.create({
    mode: 'payment',
    customer: data[0]?.id ?? '',
    line_items: [{ price: prices[0]?.id ?? '', quantity: 1 }],
    success_url: 'https://shop.example/paid',
  })
  await press(session.url ?? '', 'pay')
  const [difference] = await newDifferences('the payment is named')
  expect(difference).toMatchObject({ kind: 'PAYMENT_WITHOUT_GRANT', companyId: shop.companyId, purchaseId: null })
})

test('a grant without a payment is reported', async () => {
  const purchaseId = randomUUID()
  const grant = granted(shop.companyId, {
    source: 'PACK_PURCHASE',
    reason: `purchase ${purchaseId}`,
    grantedAt: isoTime(clock.now()),
  })
  await shop.runtime.engines.store.append(streamName('ledger', shop.companyId), 'any', [anEventOf(grant)])
  const [difference] = await newDifferences('the grant is named')
  expect(difference).toMatchObject({ kind: 'GRANT_WITHOUT_PAYMENT', companyId: shop.companyId, purchaseId })
})

test('a refund that failed at the provider is reported', async () => {
  const { purchaseId, chargeId } = await buy()
  await refunded(purchaseId, chargeId, 400)
  expect((await reconciled()).differenceCount).toBe(reported.length)
  const { data } = await shop.stripe.refunds.list({ charge: chargeId })
  await shop.control(`refunds/${data[0]?.id}/fail`)
  const [difference] = await newDifferences('the refund is named')
  expect(difference).toMatchObject({ kind: 'REFUND_NOT_AT_PROVIDER', purchaseId, chargeId })
})

test('a grant and a refund that are missing on the ledger are reported', async () => {
  const { purchaseId, chargeId } = await buy()
  await refunded(purchaseId, chargeId, 100)
  await shop.runtime.engines.database.query(
    "delete from read_models.trail where purchase_id = $1 and type in ('CreditsGranted', 'CreditsRefunded', 'PurchaseRefundSeen')",
    [purchaseId],
  )
  const added = await newDifferences('both are named', 2)
  expect(added.map(({ kind }) => kind).toSorted()).toEqual(['PAYMENT_WITHOUT_GRANT', 'REFUND_NOT_ON_LEDGER'])
  expect(added.every((one) => one.purchaseId === purchaseId)).toBe(true)
})

test('a difference that a super admin explains counts as explained, with the reason', async () => {
  const fields = 'id kind text explanation { reason }'
  const query = `{ reconciliation(month: "${MONTH}") { differenceCount differences { ${fields} } explained { ${fields} } } }`
  const before = (await shop.asRoot(query)).reconciliation
  const [difference] = before.differences
  const explain = 'mutation ($id: ID!, $reason: String!) { explainDifference(id: $id, reason: $reason) { id reason } }'
  const explanation = { id: difference.id, reason: 'refunded in cash' }
  expect((await shop.asRoot(explain, explanation)).explainDifference).toEqual(explanation)
  const after = (await shop.asRoot(query)).reconciliation
  expect(after.differenceCount).toBe(before.differenceCount - 1)
  expect(after.differences.map(({ id }: { id: string }) => id)).not.toContain(difference.id)
  expect(after.explained).toContainEqual({ ...difference, explanation: { reason: 'refunded in cash' } })
  expect((await trailOf({ type: 'DifferenceExplained' })).length).toBe(0)
  const { trail } = await shop.asRoot(TRAIL, { filter: { type: 'DifferenceExplained' } })
  expect(trail.nodes).toMatchObject([{ actor: { kind: 'USER' } }])
  reported = reported.slice(1)
})

test.each(['2026-13', 'October', '9998-01'])('the month %s is BAD_USER_INPUT', async (month) => {
  const query = `{ reconciliation(month: "${month}") { month } }`
  const { superAdmin } = shop
  await expect(shop.askAs(query, {}, superAdmin)).rejects.toThrow('BAD_USER_INPUT')
})
