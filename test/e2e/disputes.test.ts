import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openPaymentProvider } from '../../capabilities/payments/paymentProvider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { ASK_ABOUT_DISPUTES_EVERY_MS } from '../../services/reactor/askAboutDisputes.ts'
import { createProviderQuestions } from '../../services/reactor/askProvider.ts'
import { type PaymentHarness, startPaymentHarness } from '../support/harness/paymentHarness.ts'
import { press } from '../support/harness/paymentSandboxClient.ts'
import { until } from '../support/time/until.ts'

const CREATE_PACK = 'mutation ($input: CreateCreditPackInput!) { createCreditPack(input: $input) { id } }'
const CHECKOUT = 'mutation ($input: CreateCheckoutInput!) { createCheckout(input: $input) { url purchaseId } }'
const PACK_CREDITS = 100

let shop: PaymentHarness
let packId: string
let ask: () => Promise<void>
beforeAll(async () => {
  shop = await startPaymentHarness({ credits: '5', env: { DISPUTE_SUSPENDS_COMPANY: 'true' } })
  const input = { name: 'Starter', credits: PACK_CREDITS, price: 10, currency: 'usd', sortOrder: 1 }
  packId = (await shop.asRoot(CREATE_PACK, { input })).createCreditPack.id
  const { engines, log, config, clock } = shop.runtime
  const provider = openPaymentProvider(config)
  const stopping = new AbortController().signal
  ask = createProviderQuestions({ engines, clock, log, provider, holder: 'the test', stopping })
})
afterAll(() => shop.close())

let bought: { readonly purchaseId: string; readonly chargeId: string }
beforeEach(async () => {
  await register('required')
  const { url, purchaseId } = (await shop.asAdmin(CHECKOUT, { input: { packId } })).createCheckout
  await press(url, 'pay')
  await until('the credits are granted', async () =>
    (await shop.ledgerOf(shop.companyId)).some(
      ({ data }) => 'reason' in data && data.reason === `purchase ${purchaseId}`,
    ),
  )
  const listed = await shop.stripe.charges.list({ limit: 1 })
  bought = { purchaseId, chargeId: listed.data[0]?.id ?? '' }
})

const register = (types: 'none' | 'required' | 'all') => shop.control('webhook-types', { types })
const open = async (fields: object = {}) =>
  String((await shop.control(`charges/${bought.chargeId}/dispute`, fields)).id)
const close = (id: string, outcome: 'won' | 'lost' | 'closed') => shop.control(`disputes/${id}/close`, { outcome })

/** What the ledger has withdrawn for the dispute, less what it gave back, in credits. */
async function withdrawn(disputeId: string): Promise<number> {
  let micros = 0n
  for (const { type, data } of await shop.ledgerOf(shop.companyId)) {
    if (type === 'CreditsWithdrawn' && data.disputeId === disputeId) micros += BigInt(data.amountMicros)
    if (type === 'CreditsReinstated' && data.disputeId === disputeId) micros -= BigInt(data.amountMicros)
  }
  return Number(micros / 1_000_000n)
}

const untilWithdrawn = (disputeId: string, credits: number) =>
  until(`${credits} credits are withdrawn`, async () => (await withdrawn(disputeId)) === credits)

const DISPUTES = `query ($companyId: ID) { disputes(companyId: $companyId) {
  nodes { id status amount currency reason respondBy purchaseId invoiceId chargeId closedAt } } }`
async function shown(id: string) {
  const { disputes } = await shop.asRoot(DISPUTES, { companyId: shop.companyId })
  return disputes.nodes.find((one: { id: string }) => one.id === id)
}
const untilShown = (id: string, status: string) =>
  until(`it is shown as ${status}`, async () => {
    const found = await shown(id)
    return found?.status === status ? found : undefined
  })

async function isSuspended(): Promise<boolean> {
  const { companies } = await shop.asRoot('{ companies { id suspendedAt } }')
  return companies.find(({ id }: { id: string }) => id === shop.companyId).suspendedAt !== null
}
const untilSuspended = (expected: boolean) =>
  until(expected ? 'it is suspended' : 'it is resumed', async () => (await isSuspended()) === expected)

/** The findings about the payment; none of them may be a difference. */
async function reconciled() {
  const month = isoTime(shop.runtime.clock.now()).slice(0, 7)
  const finding = '{ kind text chargeId }'
  const query = `{ reconciliation(month: "${month}") { differences ${finding} explained ${finding} } }`
  const { reconciliation } = await shop.asRoot(query)
  type Finding = { readonly kind: string; readonly text: string; readonly chargeId: string | null }
  const ofPayment = (findings: Finding[]) => findings.filter(({ chargeId }) => chargeId === bought.chargeId)
  const differences = ofPayment(reconciliation.differences)
  // The read model may lag behind the ledger for a moment.
  return { explained: differences.length > 0 ? [] : ofPayment(reconciliation.explained), differences }
}

/** As if the provider had been asked about disputes an hour ago. */
async function askAnHourLater(): Promise<void> {
  const { database } = shop.runtime.engines
  await database.query(
    "update platform.provider_questions set begun_at = begun_at - $1 * interval '1 ms' where kind = 'disputes'",
    [ASK_ABOUT_DISPUTES_EVERY_MS],
  )
  const since = isoTime(shop.runtime.clock.now())
  const asked = "select kind from platform.provider_questions where kind = 'disputes' and finished_at is not null"
  await until('disputes were asked about', async () => {
    await ask()
    return (await database.query(`${asked} and begun_at >= $1`, [since])).length === 1
  })
}

describe('a dispute that is heard of by its events', () => {
  beforeEach(() => register('all'))

  test('withdraws the credits and suspends the company until it is won', async () => {
    const id = await open()
    await untilWithdrawn(id, PACK_CREDITS)
    await untilSuspended(true)
    const dispute = await untilShown(id, 'NEEDS_RESPONSE')
    expect(dispute).toMatchObject({ amount: 10, currency: 'usd', reason: 'fraudulent', closedAt: null, ...bought })
    expect(dispute.respondBy).not.toBeNull()
    const { explained } = await until('the reconciliation explains it', async () => {
      const found = await reconciled()
      return found.explained.length > 0 ? found : undefined
    })
    expect(explained).toMatchObject([{ kind: 'DISPUTED', text: expect.stringContaining(id) }])
    await shop.control(`disputes/${id}/review`)
    await untilShown(id, 'UNDER_REVIEW')
    await close(id, 'won')
    await untilWithdrawn(id, 0)
    await untilSuspended(false)
    expect((await untilShown(id, 'WON')).closedAt).not.toBeNull()
    await until('nothing is to be explained any more', async () => (await reconciled()).explained.length === 0)
  })

  test('keeps them withdrawn if it is lost, and gives them back if the bank decides again', async () => {
    const id = await open({ amount: 400 })
    await untilWithdrawn(id, 40)
    await close(id, 'lost')
    await untilShown(id, 'LOST')
    await untilSuspended(false)
    await shop.paymentEventsProcessed()
    expect(await withdrawn(id)).toBe(40)
    await close(id, 'won')
    await untilWithdrawn(id, 0)
  })

  test('and a refund of the same payment together take what was granted', async () => {
    const id = await open()
    await untilWithdrawn(id, PACK_CREDITS)
    await shop.control(`charges/${bought.chargeId}/refund`, { amount: 600 })
    await untilWithdrawn(id, 40)
    await close(id, 'won')
    await untilWithdrawn(id, 0)
    await untilSuspended(false)
  })

  test('leaves a suspension by a person as it is', async () => {
    const about = `id: "${shop.companyId}"`
    const id = await open()
    await untilSuspended(true)
    await shop.asRoot(`mutation { suspendCompany(${about}, reason: "a fraud") { id } }`)
    await close(id, 'won')
    await untilShown(id, 'WON')
    await shop.paymentEventsProcessed()
    expect(await isSuspended()).toBe(true)
    await shop.asRoot(`mutation { resumeCompany(${about}) { id } }`)
    await untilSuspended(false)
  })
})

describe.each(['required', 'none'] as const)('a dispute whose events do not arrive (registered: %s)', (types) => {
  beforeEach(() => register(types))

  test('is found within an hour, and so is its end', async () => {
    const id = await open()
    await askAnHourLater()
    await untilWithdrawn(id, PACK_CREDITS)
    await untilSuspended(true)
    await close(id, 'won')
    await askAnHourLater()
    await untilWithdrawn(id, 0)
    await untilShown(id, 'WON')
    await untilSuspended(false)
  })

  test('that was opened and lost within the hour is found as lost', async () => {
    const id = await open({ amount: 500 })
    await close(id, 'lost')
    await askAnHourLater()
    await untilWithdrawn(id, 50)
    await untilShown(id, 'LOST')
    expect(await isSuspended()).toBe(false)
  })

  test('that is known already leads to no event', async () => {
    const id = await open({ inquiry: true })
    await askAnHourLater()
    await untilWithdrawn(id, PACK_CREDITS)
    const events = async () => {
      const { webhookEvents } = await shop.asRoot('{ webhookEvents { id } }')
      return webhookEvents.filter((one: { id: string }) => one.id.startsWith(`asked_${id}`)).length
    }
    await askAnHourLater()
    expect(await events()).toBe(1)
    await close(id, 'closed')
    await askAnHourLater()
    await untilShown(id, 'WITHDRAWN')
    await untilWithdrawn(id, 0)
    await untilSuspended(false)
  })
})
