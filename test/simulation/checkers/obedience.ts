import type { Change, Company, Key } from '../load/accounts.ts'
import type { Attempt } from '../load/attempt.ts'
import type { Checker } from '../world.ts'
import type { CallFacts } from './callFacts.ts'

/** Promised for revoked keys and suspended companies, as long as the event store keeps up. */
const OBEYED_WITHIN_MS = 1_000

/** An answered command is obeyed within its documented time. */
export function obedience(facts: CallFacts): Checker {
  return {
    invariant: 'answered commands are obeyed in time',
    end: () => {
      const companies = new Map(facts.companies().map((company) => [company.companyId, company]))
      for (const attempt of facts.attempts()) {
        const company = companies.get(attempt.question.key.companyId)
        const key = company?.keys.find(({ keyId }) => keyId === attempt.question.key.keyId)
        if (!company || !key || attempt.status === null) continue
        const wrong = newKey(attempt, key) ?? revokedKey(facts, attempt, key) ?? suspension(facts, attempt, company)
        if (wrong) return `${attempt.question.name} at ${attempt.gateway}: ${wrong}`
      }
      return null
    },
  }
}

/** A key that was minted is known at once, or the gateway says that it does not know yet. */
function newKey({ status, endedAtMs }: Attempt, { keyId, revoked }: Key): string | null {
  if (status !== 401 || (revoked && revoked.sentAtMs <= endedAtMs)) return null
  return `key ${keyId} was refused although it was minted and not revoked`
}

function revokedKey(facts: CallFacts, attempt: Attempt, { keyId, revoked }: Key): string | null {
  if (attempt.status !== 200 || !isDue(facts, attempt, revoked)) return null
  return `key ${keyId} was accepted although it had been revoked`
}

function suspension(facts: CallFacts, attempt: Attempt, { companyId, suspensions }: Company): string | null {
  const { status, code, sentAtMs, endedAtMs, isReplayed } = attempt
  for (const { suspended, resumed } of suspensions) {
    const isOver = resumed !== null && resumed.sentAtMs <= endedAtMs
    if (status === 200 && !isReplayed && !isOver && isDue(facts, attempt, suspended)) {
      return `company ${companyId} was served although it had been suspended`
    }
  }
  if (code !== 'COMPANY_SUSPENDED') return null
  const last = suspensions.findLast(({ suspended }) => suspended.sentAtMs <= endedAtMs)
  if (!last) return `company ${companyId} was refused although it had never been suspended`
  const { resumed } = last
  if (!resumed?.answeredAtMs || sentAtMs <= resumed.answeredAtMs) return null
  // Without the shared state, a gateway learns of the resumption from the events only.
  const isCutOff = facts.wasCutOff(attempt.gateway, resumed.sentAtMs, endedAtMs)
  if (isCutOff && !isDue(facts, attempt, resumed)) return null
  return `company ${companyId} was refused although it had been resumed`
}

/** What was stored a second before a call is known to its gateway, unless all of this second was disturbed. */
function isDue(facts: CallFacts, { gateway, sentAtMs }: Attempt, change: Change | null): boolean {
  if (!change?.answeredAtMs || sentAtMs <= change.answeredAtMs + OBEYED_WITHIN_MS) return false
  return facts.keptUp(gateway, sentAtMs - OBEYED_WITHIN_MS, sentAtMs)
}
