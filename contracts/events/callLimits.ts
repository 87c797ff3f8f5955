import { z } from 'zod'

const limit = z.int().positive().nullable()

/** What the calls of a company or a project may use together; null: no limit at this level. */
export const callLimits = z.strictObject({
  /** Requests a minute. */
  rpm: limit,
  /** Tokens a minute. */
  tpm: limit,
  callsInFlight: limit,
})
export type CallLimits = z.infer<typeof callLimits>
