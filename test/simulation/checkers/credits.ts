import type { Change, Company, Grant, Key } from '../load/accounts.ts'
import type { Attempt } from '../load/attempt.ts'
import type { Checker } from '../world.ts'
import type { CallFacts } from './callFacts.ts'
import { type Charge, type LedgerLine, ledgerLines } from './callLedger.ts'
import { LOTS_KNOWN_MS, lotsOf } from './lots/usableLots.ts'

/** By how much the clock of a gateway may differ from that of the database. */
const CLOCK_MS = 1_000

/**
 * A grant and a raised budget count as soon as they are answered, or the gateway says that it does not know yet. With a
 * hard cap, what calls in flight may cost counts as well, so only companies without one are checked.
 */
export function creditsCount(facts: CallFacts): Checker {
  return {
    invariant: 'granted credits and raised budgets are not refused',
    end: () => {
      const ledgers = Map.groupBy(ledgerLines(facts.events()), ({ company }) => company)
      for (const company of facts.companies().filter(({ hasHardCap }) => !hasHardCap)) {
        const lines = ledgers.get(company.companyId) ?? []
        const own = facts.attempts().filter(({ question }) => question.key.companyId === company.companyId)
        for (const attempt of own) {
          const wrong = wrongRefusal(facts, company, attempt, own, lines)
          if (wrong) return `${attempt.question.name} at ${attempt.gateway}: ${wrong}`
        }
      }
      return null
    },
  }
}

function wrongRefusal(
  facts: CallFacts,
  company: Company,
  attempt: Attempt,
  own: readonly Attempt[],
  lines: readonly LedgerLine[],
): string | null {
  const { code, sentAtMs, endedAtMs, question, gateway } = attempt
  const { companyId, keys, grants } = company
  if (code !== 'INSUFFICIENT_CREDITS' && code !== 'KEY_BUDGET_EXCEEDED') return null
  const charges = chargesUntil(lines, endedAtMs + facts.aheadMs + CLOCK_MS)
  if (mayBeCharged(facts, own, charges, endedAtMs)) return null
  const isKnown = ({ answeredAtMs }: Change) => answeredAtMs !== null && answeredAtMs < sentAtMs
  const isCutOff = (changes: readonly Change[]) => {
    const lastMs = changes.filter(isKnown).at(-1)?.sentAtMs ?? 0
    return facts.wasCutOff(gateway, lastMs, endedAtMs)
  }
  if (code === 'INSUFFICIENT_CREDITS') {
    const known = grants.filter(({ granted }) => isKnown(granted))
    const atMs = endedAtMs + facts.aheadMs + CLOCK_MS
    const left = leastUsable(known, lines, atMs) - countedTwice(grants, lines, [sentAtMs + facts.aheadMs, atMs])
    if (left <= 0n || isCutOff(grants.map(({ granted }) => granted))) return null
    const hasLapsed = grants.some(({ expiresAtMs }) => expiresAtMs !== null && expiresAtMs <= atMs)
    if (hasLapsed && facts.wasPaused(gateway, sentAtMs - LOTS_KNOWN_MS, endedAtMs)) return null
    return `company ${companyId} was refused, although it had at least ${left} that have not expired`
  }
  const { keyId, budgets } = keys.find((key) => key.keyId === question.key.keyId) as Key
  const limit = budgets.findLast(({ set }) => isKnown(set))
  const spent = sumOf(charges.filter((charge) => charge.keyId === keyId))
  if (!limit || spent >= BigInt(limit.micros) || isCutOff(budgets.map(({ set }) => set))) return null
  return `key ${keyId} was refused, although at most ${spent} of ${limit.micros} are spent`
}

/** What is left of the known grants that have not expired at this moment, if every charge until then is counted, and no reversal. */
function leastUsable(known: readonly Grant[], lines: readonly LedgerLine[], atMs: number): bigint {
  const left = [...known]
  const isCounted = ({ event: { type, data } }: LedgerLine): boolean => {
    if (type === 'CallCharged') return Date.parse((data as unknown as Charge).admittedAt) <= atMs
    if (type !== 'CreditsGranted') return type !== 'ChargeReversed'
    const { amountMicros, lot } = data as unknown as GrantOnLedger
    const expiresAtMs = lot?.expiresAt ? Date.parse(lot.expiresAt) : null
    const found = left.findIndex((each) => each.micros === Number(amountMicros) && each.expiresAtMs === expiresAtMs)
    if (found >= 0) left.splice(found, 1)
    return found >= 0
  }
  return lotsOf(lines.filter(isCounted)).ledger.usableAt(atMs)
}

type GrantOnLedger = { readonly amountMicros: string; readonly lot: { readonly expiresAt: string | null } | null }

/** Gateways read seldom what is left of lots that expire, so they leave out what calls have used since, too. */
function countedTwice(
  grants: readonly Grant[],
  lines: readonly LedgerLine[],
  [fromMs, toMs]: readonly [number, number],
): bigint {
  if (!grants.some(({ expiresAtMs }) => expiresAtMs !== null && expiresAtMs <= toMs)) return 0n
  const recent = lines.filter(({ event: { recordedAt } }) => Date.parse(recordedAt) >= fromMs - LOTS_KNOWN_MS)
  return sumOf(chargesUntil(recent, toMs))
}

/** What has been charged or may be expected to be. Reversals are not counted, because they are not announced. */
function chargesUntil(lines: readonly LedgerLine[], admittedMs: number): readonly Charge[] {
  return lines
    .filter(({ event }) => event.type === 'CallCharged')
    .map(({ event }) => event.data as unknown as Charge)
    .filter(({ admittedAt }) => Date.parse(admittedAt) <= admittedMs)
}

/** A call without a charge may have been expected to be charged for a while. */
function mayBeCharged(facts: CallFacts, own: readonly Attempt[], charges: readonly Charge[], untilMs: number): boolean {
  const questions = new Set(own.map(({ question }) => question.name))
  const charged = new Set(charges.map(({ callId }) => callId))
  return facts
    .provided()
    .some(
      ({ question, isComplete, callId, atMs }) =>
        isComplete && atMs <= untilMs && questions.has(question) && !charged.has(callId),
    )
}

function sumOf(charges: readonly Charge[]): bigint {
  return charges.reduce((sum, { amountMicros }) => sum + BigInt(amountMicros), 0n)
}
