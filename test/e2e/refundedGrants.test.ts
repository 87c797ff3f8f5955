import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { purchaseDecider } from '../../domain/purchase/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { type PaymentHarness, startPaymentHarness } from '../support/harness/paymentHarness.ts'
import { press } from '../support/harness/paymentSandboxClient.ts'
import { until } from '../support/time/until.ts'

const CREATE_PACK = 'mutation ($input: CreateCreditPackInput!) { createCreditPack(input: $input) { id } }'
const CHECKOUT = 'mutation ($input: CreateCheckoutInput!) { createCheckout(input: $input) { url purchaseId } }'
const ADJUST = `mutation ($companyId: ID!, $credits: Float!, $reason: String!, $corrects: ID, $idempotencyKey: String) {
  adjustCredits(companyId: $companyId, credits: $credits, reason: $reason, corrects: $corrects,
    idempotencyKey: $idempotencyKey) { id credits corrects } }`
const PACK_CREDITS = 100
const PACK_MICROS = 100_000_000n

let shop: PaymentHarness
let packId: string
beforeAll(async () => {
  shop = await startPaymentHarness({ credits: '5' })
  const input = { name: 'Starter', credits: PACK_CREDITS, price: 10, currency: 'usd', sortOrder: 1 }
  packId = (await shop.asRoot(CREATE_PACK, { input })).createCreditPack.id
})
afterAll(() => shop.close())

type Bought = { purchaseId: string; chargeId: string; grantId: string }
let bought: Bought
beforeEach(async () => {
  const { url, purchaseId } = (await shop.asAdmin(CHECKOUT, { input: { packId } })).createCheckout
  await press(url, 'pay')
  const grant = await until('the credits are granted', async () =>
    (await entries()).find(({ data }) => 'reason' in data && data.reason === `purchase ${purchaseId}`),
  )
  const listed = await shop.stripe.charges.list({ limit: 1 })
  bought = { purchaseId, chargeId: listed.data[0]?.id ?? '', grantId: grant.id }
})

const entries = () => shop.ledgerOf(shop.companyId)
const adjust = (credits: number, corrects: string, reason: string) =>
  shop.ask(ADJUST, { companyId: shop.companyId, credits, corrects, reason }, shop.superAdmin.token)

/** The credits that the ledger took from the purchase, by refunds and corrections. */
async function taken(): Promise<{ net: bigint; refunds: string[] }> {
  const ledger = await entries()
  const refunds = ledger.filter(
    ({ type, data }) => type === 'CreditsRefunded' && data.reason === `refund of purchase ${bought.purchaseId}`,
  )
  const of = new Set([bought.grantId, ...refunds.map(({ id }) => id)])
  let net = 0n
  for (const event of ledger) {
    if (event.type === 'CreditsRefunded' && of.has(event.id)) net += BigInt(event.data.amountMicros)
    if (event.type === 'CreditsAdjusted' && of.has(event.data.corrects ?? '')) net -= BigInt(event.data.amountMicros)
  }
  return { net, refunds: refunds.map(({ id }) => id) }
}

/** A refund at the provider; resolves when its event is processed. */
async function refund(amount?: number): Promise<string> {
  const { id } = await shop.control(`charges/${bought.chargeId}/refund`, amount === undefined ? {} : { amount })
  await shop.paymentEventsProcessed()
  return String(id)
}

async function purchaseEvents(): Promise<string[]> {
  const types: string[] = []
  const stream = streamName('purchase', bought.purchaseId)
  for await (const { type } of shop.runtime.engines.store.readStream(stream)) types.push(type)
  return types
}

const shown = (transactionId: string) =>
  until('the entry is listed', async () => {
    const { creditTransactions } = await shop.asAdmin('{ creditTransactions(first: 100) { nodes { id } } }')
    return creditTransactions.nodes.some(({ id }: { id: string }) => id === transactionId)
  })

test('a correction of a grant and then its refund together take what was granted, once', async () => {
  await shown(bought.grantId)
  expect((await adjust(-PACK_CREDITS, bought.grantId, 'granted by mistake')).errors).toBeUndefined()
  expect((await taken()).net).toBe(PACK_MICROS)
  await refund()
  expect(await purchaseEvents()).toContain('PurchaseRefundSeen')
  expect((await taken()).net).toBe(PACK_MICROS)
})

test('a refunded grant cannot be corrected by more than is left of it', async () => {
  await refund(750)
  await shown(bought.grantId)
  const { errors } = await adjust(-26, bought.grantId, 'too much')
  expect(errors?.[0].message).toMatch(/worth 25 after its refunds, disputes and corrections/)
  expect((await adjust(-25, bought.grantId, 'the rest')).errors).toBeUndefined()
  expect((await taken()).net).toBe(PACK_MICROS)
})

test('a correction and a refund at the same moment take no more than was granted', async () => {
  await shown(bought.grantId)
  const [, ...replies] = await Promise.all([
    refund(),
    ...[1, 2, 3].map((n) => adjust(-40, bought.grantId, `at once ${n}`)),
  ])
  const made = replies.filter(({ errors }) => !errors).length
  expect((await taken()).net).toBe(PACK_MICROS)
  const corrections = (await purchaseEvents()).filter((type) => type === 'PurchaseCreditsCorrected')
  expect(corrections).toHaveLength(made)
})

/** A correction of the grant as booked by earlier versions, which did not decide it on the purchase. */
async function correctedEarlier(credits: number): Promise<void> {
  const { ledger } = shop.runtime.engines
  const entry = {
    eventId: bought.grantId,
    deltaMicros: PACK_MICROS,
    correctedMicros: 0n,
    corrections: 0,
    corrects: null,
  }
  const draft = ledger.draft({
    ...{ type: 'AdjustCredits', companyId: shop.companyId, adjustmentId: randomUUID(), corrects: entry },
    ...{ amountMicros: BigInt(credits) * 1_000_000n, reason: 'an earlier version', by: shop.superAdmin.userId },
    at: isoTime(shop.runtime.clock.now()),
  })
  await ledger.book(draft, randomUUID(), { kind: 'user', id: shop.superAdmin.userId })
  await shown(draft.eventId)
}

test('a refund takes no more than an earlier version has left of the grant', async () => {
  await correctedEarlier(-60)
  await refund()
  expect((await taken()).net).toBe(PACK_MICROS)
})

test('a correction takes no more than an earlier version has left of the grant', async () => {
  await correctedEarlier(-60)
  expect((await adjust(-41, bought.grantId, 'too much')).errors?.[0].message).toMatch(/worth 40 after/)
  expect((await adjust(-40, bought.grantId, 'the rest')).errors).toBeUndefined()
  expect((await taken()).net).toBe(PACK_MICROS)
})

test('a refund that failed, was repaired by hand and is made again takes its credits again', async () => {
  const refundId = await refund()
  const [entry = ''] = (await taken()).refunds
  await shop.control(`refunds/${refundId}/fail`)
  await shown(entry)
  expect((await adjust(PACK_CREDITS, entry, 'the refund failed')).errors).toBeUndefined()
  expect((await taken()).net).toBe(0n)
  await refund()
  expect((await taken()).net).toBe(PACK_MICROS)
  expect((await taken()).refunds).toHaveLength(2)
})

test('an adjustment that was decided and not booked is booked by the reactor', async () => {
  await shown(bought.grantId)
  const { engines } = shop.runtime
  const stream = streamName('purchase', bought.purchaseId)
  const adjustmentId = randomUUID()
  const by = { reason: 'the backend crashed', by: shop.superAdmin.userId, refundId: randomUUID() }
  const command = { type: 'CorrectCredits', purchaseId: bought.purchaseId, adjustmentId, corrected: null } as const
  await engines.commands.handle(
    purchaseDecider,
    stream,
    { ...command, amountMicros: '-1000000', ...by, at: isoTime(shop.runtime.clock.now()) },
    {
      commandId: `adjustment:${adjustmentId}`,
      correlationId: adjustmentId,
      actor: { kind: 'user', id: shop.superAdmin.userId },
    },
  )
  await until('it is on the ledger', async () => (await taken()).net === 1_000_000n)
})
