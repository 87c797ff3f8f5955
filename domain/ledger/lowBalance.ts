import { changesBalance, type LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../decider.ts'
import { deltaMicros } from './balance.ts'
import { DEFAULT_RULE, isBelow, type LowBalanceRule, sameRule } from './lowBalanceRule.ts'

/** The state needed to detect that the balance of a ledger has become low or exhausted. */
export type BalanceWatch = {
  readonly balanceMicros: bigint
  /** The balance right after the last top-up: a grant, or an adjustment that added credits. */
  readonly filledMicros: bigint
  /** According to the rule. Stays true until the next top-up. */
  readonly isLow: boolean
  readonly rule: LowBalanceRule
}

export const UNWATCHED: BalanceWatch = { balanceMicros: 0n, filledMicros: 0n, isLow: false, rule: DEFAULT_RULE }

/** The state after the event, by the company's current rule. */
export function watchBalance(before: BalanceWatch, event: LedgerEvent, rule: LowBalanceRule): BalanceWatch {
  const delta = deltaMicros(event)
  const balanceMicros = before.balanceMicros + delta
  // Being low by another rule says nothing about this one.
  const wasLow = before.isLow && sameRule(before.rule, rule)
  const watch = { balanceMicros, filledMicros: before.filledMicros, isLow: wasLow, rule }
  if (!changesBalance(event)) return watch
  switch (event.type) {
    case 'CreditsGranted':
      return toppedUp(watch)
    case 'CreditsAdjusted':
      return delta > 0n ? toppedUp(watch) : taken(watch)
    case 'CallCharged':
    case 'CreditsRefunded':
    case 'CreditsExpired':
    case 'CreditsWithdrawn':
      return taken(watch)
    case 'ChargeReversed':
    case 'CreditsReinstated':
    case 'InvoiceSettled':
      return watch
    default:
      return unexpected(event)
  }
}

/** A top-up that does not lift the balance above the company's own limit leaves it low, so that it is not reported again. */
function toppedUp(watch: BalanceWatch): BalanceWatch {
  const { balanceMicros, rule } = watch
  const isLow = watch.isLow && rule.kind === 'AMOUNT' && isBelow(rule, balanceMicros, balanceMicros)
  return { ...watch, filledMicros: balanceMicros, isLow }
}

function taken(watch: BalanceWatch): BalanceWatch {
  const { balanceMicros, filledMicros, isLow, rule } = watch
  return { ...watch, isLow: isLow || isBelow(rule, balanceMicros, filledMicros) }
}

/** Whether the event between the two made the balance low. */
export function becameLow(before: BalanceWatch, after: BalanceWatch): boolean {
  return after.isLow && !before.isLow
}

/** Whether the event between the two used up the balance, so that calls of a PREPAID company are refused. */
export function becameExhausted(before: BalanceWatch, after: BalanceWatch): boolean {
  return before.balanceMicros > 0n && after.balanceMicros <= 0n
}
