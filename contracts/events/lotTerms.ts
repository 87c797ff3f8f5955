import { z } from 'zod'
import { isoTime, nonNegativeMicros } from './definition.ts'

/** How long the credits of a grant last, and when calls use them. */
export const lotTerms = z.strictObject({
  /** Lots with a higher number are used first. */
  priority: z.int().nonnegative(),
  /** From this moment on no call can use them; null if they do not expire. */
  expiresAt: isoTime.nullable(),
  /** What of the unused credits is granted again when they expire, in millionths, and how long it lasts then. */
  rollover: z.strictObject({ share: nonNegativeMicros, expiresAt: isoTime }).nullable(),
})
export type LotTerms = z.infer<typeof lotTerms>

/** The terms of credits that were simply paid for. */
export const WITHOUT_EXPIRY: LotTerms = { priority: 0, expiresAt: null, rollover: null }
