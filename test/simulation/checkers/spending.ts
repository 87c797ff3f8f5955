import type { Company, Key } from '../load/accounts.ts'
import type { Checker } from '../world.ts'
import type { CallFacts } from './callFacts.ts'
import { type Charge, type LedgerLine, ledgerLines } from './callLedger.ts'

/** How long a gateway may take to see a charge of another one, if the store keeps up. */
const FEED_LAG_MS = 1_000

/** No call takes a balance with a hard cap below zero, nor a key of such a company beyond its budget. */
export function hardCaps(facts: CallFacts): Checker {
  return {
    invariant: 'a hard cap is never exceeded',
    end: () => {
      for (const [company, lines] of byCompany(facts)) {
        if (!company.hasHardCap) continue
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
          const wrong = overspent(
            company,
            charge,
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

function overspent(company: Company, charge: Charge, seen: readonly LedgerLine[]): string | null {
  const balance = seen.reduce((sum, { changeMicros }) => sum + changeMicros, 0n)
  if (!company.isPostpaid && balance <= 0n) {
    return `call ${charge.callId} was admitted at ${charge.admittedAt} with a balance of ${balance}`
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
