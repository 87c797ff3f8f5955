import type { Attempt } from '../load/attempt.ts'
import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'
import type { CallFacts } from './callFacts.ts'
import { type Charge, callEnds, ledgerLines } from './callLedger.ts'
import { countLines } from './lines.ts'

/** What callers meet, by the attempts that show it. */
const SEEN: Readonly<Record<string, (attempt: Attempt, facts: CallFacts) => boolean>> = {
  'a caller has a complete answer': ({ end }) => end === 'whole',
  'a caller leaves': ({ end }) => end === 'left',
  'a connection to a caller breaks': ({ end }) => end === 'cut',
  'a stream fails after its start': ({ end }) => end === 'failed',
  'a call is refused because something is unavailable': ({ status }) => status === 503,
  'an answer is replayed': ({ isReplayed, end }) => isReplayed && end === 'whole',
  'a balance is used up': ({ code }) => code === 'INSUFFICIENT_CREDITS',
  'a hard cap is reached': ({ code, question }, facts) =>
    code === 'INSUFFICIENT_CREDITS' &&
    facts.companies().some(({ companyId, hasHardCap }) => hasHardCap && companyId === question.key.companyId),
  'credits that have expired are refused': ({ code, question: { key }, endedAtMs }, facts) =>
    code === 'INSUFFICIENT_CREDITS' &&
    facts
      .companies()
      .some(
        ({ companyId, hasHardCap, grants }) =>
          companyId === key.companyId &&
          !hasHardCap &&
          grants.some(({ expiresAtMs }) => expiresAtMs !== null && expiresAtMs <= endedAtMs + facts.aheadMs) &&
          bookedOf(facts, companyId, endedAtMs + facts.aheadMs) > 0n,
      ),
  'a budget is used up': ({ code }) => code === 'KEY_BUDGET_EXCEEDED',
  'a revoked key is refused': ({ status }) => status === 401,
  'a suspended company is refused': ({ code }) => code === 'COMPANY_SUSPENDED',
  'a new key is used at once': ({ question: { key }, sentAtMs, status }, facts) =>
    status === 200 &&
    facts
      .companies()
      .some(({ keys }) => keys.some(({ keyId, minted }) => keyId === key.keyId && minted.answeredAtMs === sentAtMs)),
}

function bookedOf(facts: CallFacts, company: string, untilMs: number): bigint {
  return ledgerLines(facts.events())
    .filter((line) => line.company === company && Date.parse(line.event.recordedAt) <= untilMs)
    .reduce((sum, { changeMicros }) => sum + changeMicros, 0n)
}

/** Counted while it happens, by the parts of the world and from what gateways log. */
const HAPPENED = [
  'a repeated append is recognised',
  'a kept answer is inherited',
  'a claim is taken over',
  'holds of a lapsed gateway are reaped',
  'a hold is refused',
  'a call of unknown outcome is settled',
  'unsettled calls are found at a start',
  'an unsettled call is known to memory only',
  'a damaged file is reported',
  'a file is torn',
  'a gateway is killed with a call in flight',
] as const

const ON_THE_LEDGER = [
  'a charge is reversed',
  'a failed call is recorded',
  'a call is charged by a book of its company',
  'a call is answered by the second provider',
  'a call is charged by the factor of its service tier',
  'a call is charged by the rates of an input tier',
  'a call is charged for reasoning',
] as const

export const SEEN_BY_CALLERS: readonly string[] = Object.keys(SEEN)

/** Over 500 seeds, none of these may stay at zero. */
export const REQUIRED_A: readonly string[] = [...SEEN_BY_CALLERS, ...HAPPENED, ...ON_THE_LEDGER]

/** Counts at the end of a run what callers have met. It finds nothing wrong. */
export function countedAttempts({ counters }: Simulation, facts: CallFacts): Checker {
  return {
    invariant: 'attempts are counted',
    end: () => {
      for (const [what, isSeen] of Object.entries(SEEN)) {
        const times = facts.attempts().filter((attempt) => isSeen(attempt, facts)).length
        if (times > 0) counters.hit(what, times)
      }
      return null
    },
  }
}

/** Counts at the end of a run how calls have ended, in a world without a database. It finds nothing wrong. */
export function countedCalls(simulation: Simulation, facts: CallFacts): Checker {
  const { counters, faults } = simulation
  countLines(simulation)
  return {
    invariant: 'calls are counted',
    end: () => {
      counters.hit('a file is torn', faults.counts.get('file is torn') ?? 0)
      const own = new Set(facts.events().flatMap(({ type, data }) => (isOwnBook(type, data) ? [data.bookId] : [])))
      const second = new Set(facts.provided().flatMap(({ callId, provider }) => (provider === 1 ? [callId] : [])))
      for (const { charge, failures, reversals } of callEnds(ledgerLines(facts.events())).values()) {
        if (reversals > 0) counters.hit('a charge is reversed')
        if (failures > 0) counters.hit('a failed call is recorded')
        if (charge && own.has(charge.price.bookId)) counters.hit('a call is charged by a book of its company')
        if (charge && second.has(charge.callId)) counters.hit('a call is answered by the second provider')
        for (const what of charge ? pricedBy(charge) : []) counters.hit(what)
      }
      return null
    },
  }
}

function pricedBy({ lines, price, tierFactor }: Charge): (typeof ON_THE_LEDGER)[number][] {
  const found: (typeof ON_THE_LEDGER)[number][] = []
  const isOfTier = (lines ?? []).some(({ kind, rate }) => kind === 'output' && rate !== price.rates.output)
  if (tierFactor !== '1000000') found.push('a call is charged by the factor of its service tier')
  if (isOfTier) found.push('a call is charged by the rates of an input tier')
  if (lines?.some(({ kind }) => kind === 'reasoning')) found.push('a call is charged for reasoning')
  return found
}

function isOwnBook(type: string, data: { readonly companyId?: unknown }): boolean {
  return type === 'PriceBookPublished' && data.companyId !== null
}
