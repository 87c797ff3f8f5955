import { formatCredits } from '../../../domain/credits.ts'
import type { HoldAnswer } from '../../../platform/sharedState/holds/port.ts'
import { GatewayError } from '../gatewayError.ts'
import type { GatewayViews } from '../views/gatewayViews.ts'
import { budgetExceeded, budgetInWords, familyIn } from './budgetAccount.ts'

/** The refusal for a call whose hold was not placed. */
export function holdRefused(
  answer: HoldAnswer,
  amountMicros: bigint,
  balanceMicros: bigint,
  _account: string,
): GatewayError {
  switch (answer.outcome) {
    case 'refused':
      return insufficient(answer.heldMicros, amountMicros, balanceMicros - answer.unseenMicros)
    case 'closed':
      return notOpen(Math.ceil(answer.opensInMs / 1000))
    default:
      return holdLost()
  }
}

/** The same for a hold that may be against the budget of a key. */
export function refusalFor(views: Pick<GatewayViews, 'keys' | 'companies'>): typeof holdRefused {
  return (answer, amountMicros, balanceMicros, account) => {
    const family = familyIn(views, account)
    if (answer.outcome !== 'refused') return holdRefused(answer, amountMicros, balanceMicros, account)
    const limitMicros = views.companies.creditLimitMicros(account)
    if (limitMicros !== null) {
      return creditLimitExceeded(answer.heldMicros, amountMicros, balanceMicros - answer.unseenMicros)
    }
    if (!family?.budget) return holdRefused(answer, amountMicros, balanceMicros, account)
    const left = formatCredits(balanceMicros - answer.unseenMicros - answer.heldMicros)
    return budgetExceeded(
      `This call may cost up to ${formatCredits(amountMicros)} credits, and ${left} are left of the budget of this key, ` +
        `${budgetInWords(family.budget)}. Ask for fewer tokens, or retry when the calls in flight have ended.`,
    )
  }
}

function creditLimitExceeded(heldMicros: bigint, amountMicros: bigint, leftMicros: bigint): GatewayError {
  const held = heldMicros > 0n ? `, and calls in flight hold ${formatCredits(heldMicros)} of them` : ''
  return new GatewayError(
    'creditLimitExceeded',
    `This call may cost up to ${formatCredits(amountMicros)} credits, and ${formatCredits(leftMicros)} are left of the ` +
      `credit limit of the company${held}. Ask for fewer tokens, retry when other calls have ended, or ask your operator.`,
  )
}

/** Without a hold the hard cap cannot be guaranteed, so the call is refused. */
export function holdLost(): GatewayError {
  return new GatewayError(
    'unavailable',
    'The hard cap of the company cannot be checked at present, so nothing was charged. Retry with backoff.',
    { retryAfterSeconds: 1 },
  )
}

function notOpen(retryAfterSeconds: number): GatewayError {
  return new GatewayError(
    'unavailable',
    'The hard cap of the company cannot be checked until it is certain which calls are in flight, so nothing was charged. ' +
      `Retry in ${retryAfterSeconds} s.`,
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
