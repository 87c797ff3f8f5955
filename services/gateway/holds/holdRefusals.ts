import { formatCredits } from '../../../domain/credits.ts'
import { GatewayError } from '../gatewayError.ts'

/** Without a hold the limit cannot be guaranteed, so the call is refused. */
export function holdLost(): GatewayError {
  return new GatewayError(
    'unavailable',
    'The hard cap of the company cannot be checked at present, so nothing was charged. Retry with backoff.',
    { retryAfterSeconds: 1 },
  )
}

export function notOpen(retryAfterSeconds: number): GatewayError {
  return new GatewayError(
    'unavailable',
    'The hard cap of the company cannot be checked until it is certain which calls are in flight, so nothing was charged. ' +
      `Retry in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  )
}

/** The balance of a company does not cover a call. */
export function insufficient(amountMicros: bigint, balanceMicros: bigint, heldMicros: bigint): GatewayError {
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

/** What a company may still owe does not cover a call. */
export function beyondCreditLimit(amountMicros: bigint, leftMicros: bigint, heldMicros: bigint): GatewayError {
  const held = heldMicros > 0n ? `, and calls in flight hold ${formatCredits(heldMicros)} of them` : ''
  return new GatewayError(
    'creditLimitExceeded',
    `This call may cost up to ${formatCredits(amountMicros)} credits, and ${formatCredits(leftMicros)} are left of the ` +
      `credit limit of the company${held}. Ask for fewer tokens, retry when other calls have ended, or ask your operator.`,
  )
}
