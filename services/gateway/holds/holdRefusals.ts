import { formatCredits } from '../../../domain/credits.ts'
import type { HoldAnswer } from '../../platform/sharedState/holds/port.ts'
import { GatewayError } from '../gatewayError.ts'

/** The refusal for a call whose hold was not placed. */
export function holdRefused(answer: HoldAnswer, amountMicros: bigint, balanceMicros: bigint): GatewayError {
  switch (answer.outcome) {
    case 'refused':
      return insufficient(answer.heldMicros, amountMicros, balanceMicros - answer.unseenMicros)
    case 'closed':
      return holdLost(Math.ceil(answer.opensInMs / 1000))
    default:
      return holdLost()
  }
}

/** Without a hold the hard cap cannot be guaranteed, so the call is refused. */
export function holdLost(retryAfterSeconds = 1): GatewayError {
  return new GatewayError(
    'unavailable',
    'The hard cap of the company cannot be checked at present, so nothing was charged. Retry with backoff.',
    { retryAfterSeconds },
  )
}

function insufficient(heldMicros: bigint, amountMicros: bigint, balanceMicros: bigint): GatewayError {
  const cost = `This call may cost up to ${formatCredits(amountMicros)} credits`
  const balance = `the balance is ${formatCredits(balanceMicros)}`
  const held = `calls in flight hold ${formatCredits(heldMicros)} of it`
  return new GatewayError(
    'insufficientCredits',
    heldMicros > 0n
      ? `${cost}; ${balance}, and ${held}. Retry when they have ended, ask for fewer tokens, or top up.`
      : `${cost}, and ${balance}: the company has a hard cap. Ask for fewer tokens, or top up.`,
  )
}
