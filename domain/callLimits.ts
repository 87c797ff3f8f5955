import type { CallLimits } from '../contracts/events/callLimits.ts'
import { Refusal } from './decider.ts'

export const NO_LIMITS: CallLimits = { rpm: null, tpm: null, callsInFlight: null }

/** Returns the limits if each of them is null or a whole number of at least 1. */
export function requireLimits({ rpm, tpm, callsInFlight }: CallLimits): CallLimits {
  const limits = { rpm, tpm, callsInFlight }
  for (const [name, limit] of Object.entries(limits)) if (limit !== null) requireLimit(limit, name)
  return limits
}

export function requireLimit(limit: number, name: string): void {
  if (Number.isSafeInteger(limit) && limit >= 1) return
  throw new Refusal('INVALID', `${name} must be a whole number of at least 1`)
}

export function sameLimits(one: CallLimits, other: CallLimits): boolean {
  return one.rpm === other.rpm && one.tpm === other.tpm && one.callsInFlight === other.callsInFlight
}
