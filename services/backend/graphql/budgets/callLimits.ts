import type { CallLimits } from '../../../../contracts/events/callLimits.ts'
import { NO_LIMITS } from '../../../../domain/callLimits.ts'
import type { CallLimitsInput, Maybe } from '../generated.ts'

/** Whatever the input leaves out has no limit. */
export function limitsFrom(input: Maybe<CallLimitsInput> | undefined): CallLimits {
  if (!input) return NO_LIMITS
  const { rpm = null, tpm = null, callsInFlight = null } = input
  return { rpm, tpm, callsInFlight }
}
