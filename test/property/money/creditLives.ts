import fc from 'fast-check'

const which = fc.nat(5)
const amount = fc.integer({ min: 1, max: 9 })
const takingId = fc.constantFrom('r', 's')

const lifeStep = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('grant' as const),
      credits: amount,
      priority: fc.integer({ min: 0, max: 1 }),
      lasts: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('charge' as const),
      credits: amount,
      // Late enough for the expiry of a lot, the reversal of a charge and then a charge that was admitted before.
      late: fc.integer({ min: 0, max: 15 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('reverse' as const), which }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('expire' as const), which }) },
  // Most of them come too late or find nothing, so there are many.
  { weight: 4, arbitrary: fc.record({ type: fc.constant('take' as const), which, takingId, credits: amount }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('giveBack' as const), which, takingId, credits: amount }) },
)

export type LifeStep = typeof lifeStep extends fc.Arbitrary<infer Each> ? Each : never

/**
 * A life of credits in steps of one unit of time. What a step refers to is one of those that are there by then. Without a
 * size, no life would have more than ten steps, and lots would hardly ever pay for each other.
 */
export const lifeOfCredits = fc.array(lifeStep, { maxLength: 40, size: 'max' })
