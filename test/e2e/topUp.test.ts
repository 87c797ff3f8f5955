import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../support/harness/backendHarness.ts'
import { type PaymentHarness, startPaymentHarness } from '../support/harness/paymentHarness.ts'
import { press } from '../support/harness/paymentSandboxClient.ts'
import { jumpingClock } from '../support/time/jumpingClock.ts'
import { until } from '../support/time/until.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const CREATE_PACK = 'mutation ($input: CreateCreditPackInput!) { createCreditPack(input: $input) { id } }'
const CHECKOUT = 'mutation ($input: CreateCheckoutInput!) { createCheckout(input: $input) { id url purchaseId } }'
const TOP_UP = `enabled offReason hasPaymentMethod thresholdCredits packId monthlyCeiling currency spentThisMonth heldBecause
  attempts { id status credits price currency purchaseId reason confirmUrl confirmBy }`
const SET = `mutation ($input: SetTopUpInput!) { setTopUp(input: $input) { ${TOP_UP} } }`
const PURCHASES = '{ purchases { id status failureReason creditsRefunded } }'
const PACK = { name: 'Hundred', credits: 100, price: 10, currency: 'usd', sortOrder: 1 }

const clock = jumpingClock()
let shop: PaymentHarness
let packId: string
let companies = 0

beforeAll(async () => {
  // No month may end during the tests, because a ceiling begins anew with it.
  if (new Date(clock.now()).getUTCDate() > 20) clock.jump(12 * DAY_MS)
  shop = await startPaymentHarness({ clock })
  packId = (await shop.asRoot(CREATE_PACK, { input: PACK })).createCreditPack.id
})
afterAll(() => shop.close())

type Attempt = { id: string; status: string; reason: string | null; confirmUrl: string; purchaseId: string }

/** A company with 10 credits of its own and 100 that it bought, whose card was saved. */
async function company() {
  const companyId = await shop.registerCompany({ credits: '10' })
  const email = `owner${++companies}@second.example`
  const owner: Person = await shop.register(email, companyId)
  const ask = (query: string, variables: object = {}) => shop.askAs(query, variables, owner)
  const { createCheckout } = await ask(CHECKOUT, { input: { packId, savePaymentMethod: true } })
  await press(createCheckout.url, 'pay')
  const topUp = async () => (await ask(`{ topUp { ${TOP_UP} } }`)).topUp
  await until('the card is saved', async () => (await topUp()).hasPaymentMethod)
  const { payment_intent, customer } = await shop.stripe.checkout.sessions.retrieve(createCheckout.id)
  const { payment_method: methodId, latest_charge: charge } = await shop.stripe.paymentIntents.retrieve(
    String(payment_intent),
  )
  const balance = async () => (await ask('{ creditBalance { credits } }')).creditBalance.credits
  await until('the pack is there', async () => (await balance()) === 110)
  return {
    companyId,
    charge,
    methodId: String(methodId),
    ask,
    topUp,
    balance,
    bankWill: (outcome: string) => shop.control(`payment_methods/${methodId}/outcome`, { outcome }),
    set: async (changes: object = {}) =>
      (await ask(SET, { input: { enabled: true, thresholdCredits: 150, packId, monthlyCeiling: 100, ...changes } }))
        .setTopUp,
    /** A grant that leaves the balance below the threshold is a new fall. */
    grant: (credits: number) =>
      shop.asRoot(
        'mutation ($companyId: ID!, $credits: Float!) { grantCredits(companyId: $companyId, credits: $credits, reason: "test") { id } }',
        { companyId, credits },
      ),
    attempts: (statuses: string[]) =>
      until(`the attempts are ${statuses}`, async () => {
        const { attempts } = (await topUp()) as { attempts: Attempt[] }
        return statuses.join() === attempts.map(({ status }) => status).join() ? attempts : undefined
      }),
    /** The purchase of an attempt: its events are in a stream of their own, and may be projected after the attempt's. */
    purchase: (attempt: Attempt | undefined, status: string) =>
      until(`the purchase is ${status}`, async () => {
        const { purchases } = (await ask(PURCHASES)) as { purchases: { id: string; status: string }[] }
        return purchases.find((found) => found.id === attempt?.purchaseId && found.status === status)
      }),
    /** The payments made for attempts, at the provider. */
    payments: async () =>
      (await shop.stripe.paymentIntents.list({ customer: String(customer), limit: 100 })).data.filter(
        ({ metadata, status }) => metadata.topUpAttemptId && status === 'succeeded',
      ),
  }
}

test('a balance below the threshold is topped up once, and the purchase can be refunded like any other', async () => {
  const { set, attempts, balance, payments, purchase, topUp } = await company()
  expect(await topUp()).toMatchObject({ enabled: false, offReason: null, attempts: [] })
  expect(await set()).toMatchObject({
    enabled: true,
    thresholdCredits: 150,
    packId,
    monthlyCeiling: 100,
    heldBecause: null,
  })
  const [attempt] = await attempts(['SUCCEEDED'])
  await until('the credits are there', async () => (await balance()) === 210)
  const [payment] = await payments()
  expect(await payments()).toHaveLength(1)
  expect((await topUp()).spentThisMonth).toBe(10)
  expect(await purchase(attempt, 'COMPLETED')).toEqual({
    id: attempt?.purchaseId,
    status: 'COMPLETED',
    failureReason: null,
    creditsRefunded: 0,
  })
  await shop.control(`charges/${payment?.latest_charge}/refund`)
  await until('the credits are taken back', async () => (await balance()) === 110)
  // It would be made again at once otherwise, since the balance has fallen below the threshold with it.
  await until('top-up is off', async () => !(await topUp()).enabled)
  expect(await topUp()).toMatchObject({ enabled: false, offReason: 'PAYMENT_RETURNED' })
  clock.jump(2 * MINUTE_MS)
  await shop.paymentEventsProcessed()
  expect(await payments()).toHaveLength(1)
  await set()
  await attempts(['SUCCEEDED', 'SUCCEEDED'])
  expect(await topUp()).toMatchObject({ enabled: true })
})

test('three declines in a row switch top-up off', async () => {
  const { set, attempts, bankWill, grant, topUp, balance, payments } = await company()
  await bankWill('decline')
  await set()
  await attempts(['DECLINED'])
  await grant(1)
  await attempts(['DECLINED', 'DECLINED'])
  expect(await topUp()).toMatchObject({ enabled: true, spentThisMonth: 0 })
  await grant(1)
  const [last] = await attempts(['DECLINED', 'DECLINED', 'DECLINED'])
  expect(last?.reason).toBe('Your card was declined.')
  expect(await topUp()).toMatchObject({ enabled: false, offReason: 'DECLINED', spentThisMonth: 0 })
  expect([await balance(), await payments()]).toEqual([112, []])
  await bankWill('pay')
  await set()
  await attempts(['SUCCEEDED', 'DECLINED', 'DECLINED', 'DECLINED'])
  await until('the credits are there', async () => (await balance()) === 212)
})

test('a payment that its bank wants confirmed is found by polling once it is confirmed', async () => {
  const { set, attempts, bankWill, balance, topUp } = await company()
  await bankWill('confirm')
  await set()
  const [asked] = await attempts(['NEEDS_CONFIRMATION'])
  expect(await topUp()).toMatchObject({ spentThisMonth: 10, attempts: [{ confirmBy: expect.any(String) }] })
  await press(asked?.confirmUrl ?? '', 'pay')
  // No event says so: the sandbox registers only the required types.
  clock.jump(MINUTE_MS)
  await attempts(['SUCCEEDED'])
  await until('the credits are there', async () => (await balance()) === 210)
})

test('an event of the payment credits it at once, and polling adds nothing', async () => {
  const { set, attempts, bankWill, balance, payments } = await company()
  await shop.control('webhook-types', { types: 'all' })
  try {
    await bankWill('confirm')
    await set()
    const [asked] = await attempts(['NEEDS_CONFIRMATION'])
    await press(asked?.confirmUrl ?? '', 'pay')
    await attempts(['SUCCEEDED'])
  } finally {
    await shop.control('webhook-types', { types: 'required' })
  }
  clock.jump(2 * MINUTE_MS)
  await until('the credits are there', async () => (await balance()) === 210)
  expect(await payments()).toHaveLength(1)
})

test('a payment that is not confirmed within a day is given up and cannot be confirmed any more', async () => {
  const { set, attempts, bankWill, balance, payments, purchase, topUp } = await company()
  await bankWill('confirm')
  await set()
  const [asked] = await attempts(['NEEDS_CONFIRMATION'])
  clock.jump(DAY_MS)
  await attempts(['GIVEN_UP'])
  await press(asked?.confirmUrl ?? '', 'pay')
  expect([await balance(), await payments()]).toEqual([110, []])
  expect(await topUp()).toMatchObject({ enabled: true, spentThisMonth: 0 })
  expect(await purchase(asked, 'FAILED')).toMatchObject({ id: asked?.purchaseId, status: 'FAILED' })
})

test('the ceiling of a month holds further attempts back', async () => {
  const { set, attempts, balance, topUp, payments } = await company()
  await set({ thresholdCredits: 1000, monthlyCeiling: 25 })
  await attempts(['SUCCEEDED', 'SUCCEEDED'])
  await until('the credits are there', async () => (await balance()) === 310)
  clock.jump(2 * MINUTE_MS)
  await until('it is held back', async () => (await topUp()).heldBecause === 'CEILING')
  expect(await payments()).toHaveLength(2)
  await set({ thresholdCredits: 1000, monthlyCeiling: 30 })
  clock.jump(MINUTE_MS)
  await attempts(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED'])
})

test('a suspended company is not topped up until it is resumed', async () => {
  const { companyId, set, attempts, topUp, payments } = await company()
  await shop.asRoot('mutation ($id: ID!) { suspendCompany(id: $id, reason: "unpaid") { id } }', { id: companyId })
  await set()
  expect(await topUp()).toMatchObject({ enabled: true, heldBecause: 'SUSPENDED' })
  clock.jump(2 * MINUTE_MS)
  expect(await payments()).toEqual([])
  await shop.asRoot('mutation ($id: ID!) { resumeCompany(id: $id) { id } }', { id: companyId })
  clock.jump(MINUTE_MS)
  await attempts(['SUCCEEDED'])
})

test('a company with an open dispute is not topped up until the dispute has ended', async () => {
  const { set, attempts, topUp, payments, balance, charge } = await company()
  await shop.control('webhook-types', { types: 'all' })
  try {
    const { id } = await shop.control(`charges/${charge}/dispute`)
    await until('the credits are withdrawn', async () => (await balance()) === 10)
    await set()
    await until('it is held back', async () => (await topUp()).heldBecause === 'DISPUTED')
    clock.jump(2 * MINUTE_MS)
    expect([await payments(), (await topUp()).attempts]).toEqual([[], []])
    await shop.control(`disputes/${id}/close`, { outcome: 'won' })
    await until('the credits are given back', async () => (await balance()) === 110)
  } finally {
    await shop.control('webhook-types', { types: 'required' })
  }
  clock.jump(MINUTE_MS)
  await attempts(['SUCCEEDED'])
})

test('a method is saved only with consent, and only its company can be topped up by it', async () => {
  const companyId = await shop.registerCompany({ credits: '10' })
  const owner = await shop.register('owner@third.example', companyId)
  const { createCheckout } = await shop.askAs(CHECKOUT, { input: { packId } }, owner)
  await press(createCheckout.url, 'pay')
  await shop.paymentEventsProcessed()
  expect((await shop.askAs('{ topUp { hasPaymentMethod } }', {}, owner)).topUp).toEqual({ hasPaymentMethod: false })
  const { payment_intent } = await shop.stripe.checkout.sessions.retrieve(createCheckout.id)
  const { setup_future_usage } = await shop.stripe.paymentIntents.retrieve(String(payment_intent))
  expect(setup_future_usage).toBeNull()
  const input = { enabled: true, thresholdCredits: 150, packId, monthlyCeiling: 100 }
  await expect(shop.askAs(SET, { input }, owner)).rejects.toThrow(/no saved payment method/)
  const plan = { planId: packId, savePaymentMethod: true }
  await expect(shop.askAs(CHECKOUT, { input: plan }, owner)).rejects.toThrow(/only the checkout of a pack saves one/)
})

test('the saved card is removed here and at the provider, and a new one needs a new consent', async () => {
  const { set, ask, methodId, topUp, payments, attempts } = await company()
  await set()
  await attempts(['SUCCEEDED'])
  const remove = () => ask(SET, { input: { enabled: false, removePaymentMethod: true } })
  expect((await remove()).setTopUp).toMatchObject({ enabled: false, offReason: 'ADMIN', hasPaymentMethod: false })
  expect((await shop.stripe.paymentMethods.retrieve(methodId)).customer).toBeNull()
  expect((await remove()).setTopUp).toMatchObject({ hasPaymentMethod: false })
  await expect(set()).rejects.toThrow(/no saved payment method/)
  await shop.paymentEventsProcessed()
  expect(await topUp()).toMatchObject({ enabled: false, hasPaymentMethod: false })
  expect(await payments()).toHaveLength(1)
})
