import fc from 'fast-check'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const which = fc.nat(7)
const credits = fc.integer({ min: 1, max: 12 })
/** Whether the provider's event is delivered at once, or later and in another order. */
const isHeld = fc.boolean()
const minor = fc.oneof(fc.integer({ min: 1, max: 4_900 }), fc.constantFrom(1_000, 4_900))
const step = <Type extends string, Rest extends object>(
  type: Type,
  rest: { readonly [Name in keyof Rest]: fc.Arbitrary<Rest[Name]> },
): fc.Arbitrary<{ readonly type: Type } & Rest> => fc.record({ type: fc.constant(type), ...rest }) as never

const each = {
  grant: step('grant', {
    source: fc.constantFrom('ADJUSTMENT' as const, 'PROMOTION' as const, 'PROMOTION' as const, 'before lots' as const),
    ...{ credits, lasts: fc.constantFrom(null, HOUR, 6 * HOUR, DAY, 3 * DAY) },
  }),
  buy: step('buy', { credits, minor, validDays: fc.constantFrom(null, 1, 3), isHeld }),
  renew: step('renew', { days: fc.constantFrom(1, 2, 30), isHeld }),
  refund: step('refund', { which, minor, isHeld }),
  refundFails: step('refundFails', { which, isHeld }),
  dispute: step('dispute', { which, minor, isHeld }),
  disputeSays: step('disputeSays', {
    ...{ which, minor, isHeld },
    status: fc.constantFrom('needs_response', 'under_review', 'won', 'won', 'lost', 'warning_closed'),
  }),
  deliver: step('deliver', { which }),
  again: step('again', { which }),
  poll: step('poll', {}),
  correct: step('correct', {
    ...{ which, entry: fc.constantFrom('grant' as const, 'refund' as const) },
    credits: fc.integer({ min: -9, max: 9 }),
  }),
  adjust: step('adjust', { credits: fc.integer({ min: -6, max: 6 }) }),
  use: step('use', { cost: fc.integer({ min: 1, max: 15 }) }),
  call: step('call', { bound: fc.integer({ min: 1, max: 15 }) }),
  settle: step('settle', { which, cost: fc.integer({ min: 1, max: 15 }) }),
  fail: step('fail', { which }),
  reverse: step('reverse', { which }),
  wait: step('wait', { ms: fc.constantFrom(60_000, HOUR, 2 * HOUR, 5 * HOUR, DAY, 3 * DAY, 20 * DAY) }),
  waitForExpiry: step('waitForExpiry', { offset: fc.constantFrom(-1, 0, HOUR, 2 * HOUR - 1, 2 * HOUR) }),
  react: step('react', {}),
  setTopUp: step('setTopUp', {
    threshold: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(40)),
    ceiling: fc.constantFrom(1_000, 2_000, 2_500, 5_000, 100_000),
  }),
  topUpOff: step('topUpOff', {}),
  topUp: step('topUp', {
    bank: fc.constantFrom(
      'pays' as const,
      'declines' as const,
      'declines' as const,
      'asks' as const,
      'answer is lost' as const,
    ),
  }),
  declinedTopUp: step('topUp', { bank: fc.constant('declines' as const) }),
  confirm: step('confirm', { which }),
  hearTopUp: step('hearTopUp', { which }),
  suspend: step('suspend', { isSuspended: fc.boolean() }),
  payInvoice: step('payInvoice', { which, isByHand: fc.boolean() }),
  voidInvoice: step('voidInvoice', { which, isByHand: fc.boolean() }),
}

export type MoneyStep = (typeof each)[keyof typeof each] extends fc.Arbitrary<infer Each> ? Each : never
export type StepOf<Type extends MoneyStep['type']> = Extract<MoneyStep, { type: Type }>

type Weights = { readonly [Type in keyof typeof each]?: number }

const ALL: Weights = {
  ...{
    grant: 3,
    buy: 5,
    renew: 3,
    refund: 4,
    refundFails: 2,
    dispute: 4,
    disputeSays: 5,
    deliver: 5,
    again: 3,
    poll: 1,
  },
  ...{ correct: 3, adjust: 2, use: 6, call: 5, settle: 5, fail: 1, reverse: 3, wait: 6, waitForExpiry: 5, react: 8 },
  ...{ setTopUp: 3, topUpOff: 1, topUp: 6, confirm: 2, hearTopUp: 2, suspend: 1, payInvoice: 3, voidInvoice: 1 },
}
const OF_LOTS: Weights = {
  ...{
    grant: 5,
    buy: 3,
    renew: 3,
    refund: 2,
    dispute: 2,
    use: 9,
    call: 7,
    settle: 7,
    reverse: 4,
    adjust: 1,
    correct: 2,
  },
  ...{ waitForExpiry: 6, wait: 3, react: 7 },
}
const OF_PAYMENTS: Weights = {
  ...{
    buy: 3,
    renew: 2,
    refund: 6,
    refundFails: 5,
    dispute: 5,
    disputeSays: 8,
    correct: 6,
    deliver: 6,
    again: 4,
    poll: 1,
  },
  ...{ use: 6, waitForExpiry: 2, wait: 1, react: 3 },
}
const OF_TOP_UP: Weights = {
  ...{ setTopUp: 6, topUp: 14, confirm: 4, hearTopUp: 3, use: 10, grant: 2, wait: 4, react: 2, refund: 1, dispute: 1 },
  ...{ disputeSays: 1, topUpOff: 1 },
}
/** The bank declines until top-up is switched off. Grants begin new falls of the balance. */
const OF_DECLINES: Weights = { setTopUp: 2, declinedTopUp: 10, topUp: 2, grant: 5, adjust: 2, use: 5, hearTopUp: 1 }
const OF_MONTHS: Weights = {
  ...{
    use: 10,
    call: 2,
    settle: 2,
    reverse: 2,
    wait: 9,
    react: 6,
    payInvoice: 8,
    voidInvoice: 8,
    deliver: 2,
    again: 2,
  },
  ...{ grant: 2, buy: 1, refund: 1, adjust: 1 },
}

function stepOf(weights: Weights): fc.Arbitrary<MoneyStep> {
  const weighted = Object.entries(weights).map(([type, weight]) => {
    return { weight, arbitrary: each[type as keyof typeof each] as fc.Arbitrary<MoneyStep> }
  })
  return fc.oneof(...weighted)
}

const stepsOf = (weights: Weights) => fc.array(stepOf(weights), { maxLength: 50, size: 'max' })

const companyOf = (...modes: ('PREPAID' | 'POSTPAID')[]) =>
  fc.record({
    mode: fc.constantFrom(...modes),
    hasHardCap: fc.boolean(),
    creditLimit: fc.constantFrom(null, 5, 20),
    disputesSuspend: fc.boolean(),
  })

const lifeOf = (company: ReturnType<typeof companyOf>, weights: Weights) =>
  fc.record({
    company,
    /** Of a plan's unused credits, what is granted again. */
    share: fc.constantFrom(0, 0.25, 0.5, 1),
    steps: stepsOf(weights),
  })

/**
 * A life of the money of one company, ten seconds for a step. What a step refers to is one of those that are there by then,
 * and nothing happens if there is none. Some lives have few kinds of steps, so that these meet. Without a size, no life would
 * have more than ten steps.
 */
export const lifeOfMoney = fc.oneof(
  { weight: 3, arbitrary: lifeOf(companyOf('PREPAID', 'PREPAID', 'POSTPAID'), ALL) },
  { weight: 3, arbitrary: lifeOf(companyOf('PREPAID'), OF_LOTS) },
  { weight: 2, arbitrary: lifeOf(companyOf('PREPAID'), OF_PAYMENTS) },
  { weight: 2, arbitrary: lifeOf(companyOf('PREPAID'), OF_TOP_UP) },
  { weight: 1, arbitrary: lifeOf(companyOf('PREPAID'), OF_DECLINES) },
  { weight: 2, arbitrary: lifeOf(companyOf('POSTPAID'), OF_MONTHS) },
)
export type PlannedLife = typeof lifeOfMoney extends fc.Arbitrary<infer Each> ? Each : never
