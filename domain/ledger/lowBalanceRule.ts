import type { LOW_BALANCE_RULES } from '../../contracts/events/company.ts'
import { requireAmount } from '../credits.ts'
import { unexpected } from '../decider.ts'

/** When a balance counts as low. DEFAULT: below a tenth of the balance after the last top-up. */
export type LowBalanceRule =
  | { readonly kind: 'DEFAULT' }
  | { readonly kind: 'OFF' }
  | { readonly kind: 'AMOUNT'; readonly amountMicros: bigint }

/** A rule as stored in events and read models. */
export type StoredRule = {
  readonly lowBalance: (typeof LOW_BALANCE_RULES)[number]
  readonly lowBalanceMicros: string | null
}

export const DEFAULT_RULE: LowBalanceRule = { kind: 'DEFAULT' }

export function lowBalanceRuleOf({ lowBalance, lowBalanceMicros }: StoredRule): LowBalanceRule {
  if (lowBalance !== 'AMOUNT') return { kind: lowBalance }
  return { kind: 'AMOUNT', amountMicros: BigInt(lowBalanceMicros ?? 0) }
}

export function requireRule(rule: LowBalanceRule): StoredRule {
  if (rule.kind !== 'AMOUNT') return { lowBalance: rule.kind, lowBalanceMicros: null }
  return { lowBalance: rule.kind, lowBalanceMicros: requireAmount(rule.amountMicros, 'the limit of a low balance') }
}

export function sameRule(one: LowBalanceRule, other: LowBalanceRule): boolean {
  if (one.kind === 'AMOUNT' && other.kind === 'AMOUNT') return one.amountMicros === other.amountMicros
  return one.kind === other.kind
}

/** The default is a balance below a tenth of the balance after the last top-up. */
const PART = 10n

export function isBelow(rule: LowBalanceRule, balanceMicros: bigint, filledMicros: bigint): boolean {
  switch (rule.kind) {
    case 'DEFAULT':
      return balanceMicros * PART < (filledMicros > 0n ? filledMicros : 0n)
    case 'AMOUNT':
      return balanceMicros < rule.amountMicros
    case 'OFF':
      return false
    default:
      return unexpected(rule)
  }
}
