import type { Company, Key } from '../load/accounts.ts'
import type { Checker } from '../world.ts'
import type { CallFacts } from './callFacts.ts'
import { type Charge, type LedgerLine, ledgerLines } from './callLedger.ts'
import type { LotEvent } from './lots/lotsOfEvents.ts'
import { areLotsKnown, LOTS_KNOWN_MS, lotsOf } from './lots/usableLots.ts'

/** How long a gateway may take to see a charge of another one, if the store keeps up. */
const FEED_LAG_MS = 1_000

/** No call takes a balance with a hard cap below zero, burns more than the lots that are valid for it, nor a key of such a company beyond its budget. */
export function hardCaps(facts: CallFacts): Checker {
  return {
    invariant: 'a hard cap is never exceeded',
    end: () => {
      for (const [company, lines] of byCompany(facts)) {
        if (!company.hasHardCap) continue
        const uncovered = uncoveredCall(facts, lines)
        if (uncovered) return uncovered
        let balance = 0n
        const spent = new Map<string, bigint>()
        for (const { event, changeMicros } of lines) {
          balance += changeMicros
          const { callId, keyId } = event.data as { callId?: string; keyId?: string }
          if (keyId === undefined) continue
          spent.set(keyId, (spent.get(keyId) ?? 0n) - changeMicros)
          if (event.type !== 'CallCharged') continue
          if (balance < 0n) return `call ${callId} took company ${company.companyId} to ${balance}`
          const limit = company.keys.find((key) => key.keyId === keyId)?.budgets.at(-1)
          if (limit && (spent.get(keyId) ?? 0n) > BigInt(limit.micros)) {
            return `call ${callId} took key ${keyId} to ${spent.get(keyId)}, and its budget is ${limit.micros}`
          }
        }
      }
      return null
    },
  }
}

/** A call that the lots which were valid at its admission do not pay. */
function uncoveredCall(facts: CallFacts, lines: readonly LedgerLine[]): string | null {
  const gateways = new Map(facts.provided().map(({ callId, gateway }) => [callId, gateway]))
  const lots = lotsOf([])
  const { ledger } = lots
  for (const { event } of lines) {
    const before = ledger.debt
    lots.add(event as unknown as LotEvent)
    if (event.type !== 'CallCharged' || ledger.debt <= before) continue
    const { callId, admittedAt } = event.data as unknown as Charge
    if (!knowsLots(facts, lines, gateways.get(callId) ?? '', Date.parse(admittedAt))) continue
    return `call ${callId}, admitted at ${admittedAt}, took ${ledger.debt - before} more than the lots that were valid`
  }
  return null
}

function knowsLots(facts: CallFacts, lines: readonly LedgerLine[], gateway: string, atMs: number): boolean {
  const trueMs = atMs - facts.aheadMs
  return areLotsKnown(lines, atMs) && !facts.wasPaused(gateway, trueMs - LOTS_KNOWN_MS, trueMs)
}

/**
 * Without a hard cap, calls in flight and calls of other gateways within the feed's lag may exceed a balance or a budget;
 * a call that was admitted later may not.
 */
export function limitsAreObeyed(facts: CallFacts): Checker {
  return {
    invariant: 'no call is admitted once balance or budget are used up',
    end: () => {
      const gateways = new Map(facts.provided().map(({ callId, gateway }) => [callId, gateway]))
      for (const [company, lines] of byCompany(facts)) {
        for (const line of lines) {
          if (line.event.type !== 'CallCharged') continue
          const charge = line.event.data as unknown as Charge
          const admittedMs = Date.parse(charge.admittedAt)
          const seenMs = admittedMs - FEED_LAG_MS
          const gateway = gateways.get(charge.callId) ?? ''
          if (!facts.keptUp(gateway, seenMs - facts.aheadMs, admittedMs - facts.aheadMs)) continue
          // What was added counts as soon as a gateway sees it, what was spent at the latest after the lag.
          const isKnown = knowsLots(facts, lines, gateway, admittedMs)
          const wrong = overspent(
            company,
            charge,
            isKnown ? admittedMs : null,
            lines.filter(({ event, changeMicros }) => {
              return Date.parse(event.recordedAt) <= (changeMicros > 0n ? admittedMs : seenMs)
            }),
          )
          if (wrong) return wrong
        }
      }
      return null
    },
  }
}

/** `atMs`: lots that have expired by then do not count; null if the gateway may not know them yet. */
function overspent(company: Company, charge: Charge, atMs: number | null, seen: readonly LedgerLine[]): string | null {
  const booked = seen.reduce((sum, { changeMicros }) => sum + changeMicros, 0n)
  const balance = atMs === null ? booked : lotsOf(seen).ledger.usableAt(atMs)
  if (!company.isPostpaid && balance <= 0n) {
    return `call ${charge.callId} was admitted at ${charge.admittedAt} with a balance of ${balance} without expired credits`
  }
  const key = company.keys.find(({ keyId }) => keyId === charge.keyId)
  const limit = key && highest(key)
  if (limit === null || limit === undefined) return null
  const ofKey = seen.filter(({ event }) => (event.data as { keyId?: string }).keyId === charge.keyId)
  const spent = ofKey.reduce((sum, { changeMicros }) => sum - changeMicros, 0n)
  return spent >= BigInt(limit)
    ? `call ${charge.callId} was admitted after its key had spent ${spent} of ${limit}`
    : null
}

/** Budgets are only raised. */
function highest({ budgets }: Key): number | null {
  return budgets.at(-1)?.micros ?? null
}

function byCompany(facts: CallFacts): (readonly [Company, readonly LedgerLine[]])[] {
  const lines = Map.groupBy(ledgerLines(facts.events()), ({ company }) => company)
  return facts.companies().map((company) => [company, lines.get(company.companyId) ?? []] as const)
}
