import type { Attempt } from '../load/attempt.ts'
import type { ToldUsage } from '../parties/modelAnswers.ts'
import type { ProviderCall } from '../parties/modelProvider.ts'
import type { Checker } from '../world.ts'
import type { CallFacts } from './callFacts.ts'
import { booksIn, type CallEnd, type Charge, callEnds, ledgerLines, priceAt } from './callLedger.ts'
import { chargeWrong, costOf, factorFor, linesWrong, type Price, type Used } from './chargeLines.ts'

/** A call is charged exactly once, with the right amount, if and only if its provider's answer was complete. */
export function rightCharges(facts: CallFacts): Checker {
  return {
    invariant: 'a call is charged the right amount, and only for a complete answer',
    end: () => {
      const books = booksIn(facts.events())
      const tiers = new Map(facts.attempts().map(({ question: { name, serviceTier } }) => [name, serviceTier]))
      for (const { charge, reversals } of callEnds(ledgerLines(facts.events())).values()) {
        if (!charge) {
          if (reversals > 0) return 'a charge was reversed that does not exist'
          continue
        }
        const { callId } = charge
        const inForce = priceAt(books, charge.companyId, charge.alias, charge.admittedAt)
        if (inForce?.bookId !== charge.price.bookId)
          return `call ${callId} was charged by book ${charge.price.bookId}, which was not in force`
        const wrong = chargeWrong(charge)
        if (wrong !== null) return `the charge of call ${callId} ${wrong}`
        // A call may have been sent to two providers.
        const answers = facts.provided().filter((call) => call.callId === callId && call.isComplete && call.usage)
        if (answers.length === 0) return `call ${callId} was charged without a complete answer`
        const faults = answers.map((answer) => {
          return wrongFor(charge, answer, inForce.price, tiers.get(answer.question) ?? null)
        })
        if (!faults.includes(null)) return `call ${callId} ${faults.join(', or it ')}`
        if (reversals > 1) return `the charge of call ${callId} was reversed ${reversals} times`
      }
      return null
    },
  }
}

/** Why this answer is not the one that was charged. */
function wrongFor(charge: Charge, { usage }: ProviderCall, price: Price, requestedTier: string | null): string | null {
  if (!usage) return 'was answered without usage'
  const used = usedOf(usage)
  const factor = factorFor(price, usage.serviceTier, requestedTier)
  const amount = costOf(used, price, factor)
  if (String(amount) !== charge.amountMicros) return `was charged ${charge.amountMicros}, not ${amount}`
  if (charge.serviceTier !== usage.serviceTier) return `has the tier ${charge.serviceTier}, not ${usage.serviceTier}`
  if (charge.tierFactor !== factor) return `has the factor ${charge.tierFactor}, not ${factor}`
  return linesWrong({ ...charge, price }, used)
}

function usedOf({ tokensIn, tokensOut, tokensReasoning, ...input }: ToldUsage): Used {
  const { tokensCached, tokensWritten, tokensWrittenFor1h } = input
  const cacheWrite = (tokensWritten ?? 0) - tokensWrittenFor1h
  const kinds = { cachedInput: tokensCached, cacheWrite, cacheWrite1h: tokensWrittenFor1h }
  return { tokensIn, tokensOut, kinds: { ...kinds, reasoning: tokensReasoning ?? 0 }, units: {} }
}

/** What a caller was told agrees with the ledger. */
export function answersAgree(facts: CallFacts): Checker {
  return {
    invariant: 'a complete answer is charged, and a failed call is not',
    end: () => {
      const ends = callEnds(ledgerLines(facts.events()))
      const byCall = Map.groupBy(facts.attempts(), ({ callId }) => callId)
      for (const attempt of facts.attempts()) {
        const { callId } = attempt
        const end = callId === null ? undefined : ends.get(callId)
        if (attempt.end === 'whole') {
          const wrong = wrongWhole(attempt, end)
          if (wrong) return wrong
        } else if ((attempt.end === 'refused' || attempt.end === 'failed') && end?.charge) {
          const others = [...(byCall.get(callId) ?? []), ...sameQuestion(facts.attempts(), attempt)]
          // Another request may have found the kept answer, and its caller may have it.
          if (others.some((other) => ['whole', 'cut', 'left', 'pending'].includes(other.end))) continue
          if (end.reversals !== 1 && !facts.isLost(callId as string)) {
            return `call ${callId} failed for its caller (${attempt.status} ${attempt.code}), and its charge was reversed ${end.reversals} times`
          }
        }
      }
      return null
    },
  }
}

function sameQuestion(attempts: readonly Attempt[], { question }: Attempt): readonly Attempt[] {
  return question.idempotencyKey === null ? [] : attempts.filter((other) => other.question === question)
}

function wrongWhole({ callId, question, chargedMicros, gateway }: Attempt, end: CallEnd | undefined): string | null {
  const who = `${question.name} at ${gateway}, call ${callId},`
  if (!end?.charge) return `${who} has a complete answer that was not charged`
  if (end.reversals > 0) return `${who} has a complete answer, and its charge was reversed`
  if (chargedMicros === null) return `${who} was not told its cost`
  if (String(chargedMicros) !== end.charge.amountMicros) {
    return `${who} was told a cost of ${chargedMicros}, and ${end.charge.amountMicros} was charged`
  }
  return null
}

/** The same Idempotency-Key is charged once and replayed with the same answer. */
export function idempotentCalls(facts: CallFacts): Checker {
  return {
    invariant: 'a repeated Idempotency-Key is charged once and gets the first answer',
    end: () => {
      const ends = callEnds(ledgerLines(facts.events()))
      const named = facts.attempts().filter(({ question }) => question.idempotencyKey !== null)
      const provided = Map.groupBy(facts.provided(), ({ question }) => question)
      for (const [question, attempts] of Map.groupBy(named, (attempt) => attempt.question)) {
        const answered = attempts.filter(({ end }) => end === 'whole')
        const texts = new Set(answered.map(({ text, callId }) => `${callId} ${text}`))
        if (texts.size > 1) return `${question.name} has ${texts.size} different answers`
        if (answered.filter(({ isReplayed }) => !isReplayed).length > 1) return `${question.name} was answered twice`
        const calls = new Set((provided.get(question.name) ?? []).map(({ callId }) => callId))
        const charged = [...calls].filter((callId) => {
          const end = ends.get(callId)
          return end?.charge && end.reversals === 0 && !facts.isLost(callId)
        })
        if (charged.length > 1) return `${question.name} was charged ${charged.length} times: ${charged.join()}`
      }
      return null
    },
  }
}
