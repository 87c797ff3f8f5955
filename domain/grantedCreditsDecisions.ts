import { formatCredits } from './credits.ts'
import { Refusal } from './decider.ts'
import { type SeenDispute, settleDisputes } from './disputedCredits.ts'
import {
  dueByRefunds,
  evolveGrant,
  type GrantEvent,
  type GrantedCredits,
  leftForDisputes,
  type SeenRefund,
  takenByRefunds,
  worthMicros,
} from './grantedCredits.ts'
import { requireAdjustment } from './ledger/decider.ts'
import { type Answer, compareReports, secondOfAnswer } from './providerReport.ts'
import type { RefundSoFar } from './refund.ts'

/** A report about the refunds of a charge. */
export type RefundReport = {
  /** What an event says about the charge; null if it does not say, so that the provider has to be asked. */
  readonly refund: RefundSoFar | null
  readonly saidAt: string
  /** The provider's answer, required if `mustAskAboutRefund` returned true. */
  readonly answer: Answer<RefundSoFar> | null
}

/** Whether the report needs an answer: it has no amounts, or contradicts another one of the same second. */
export function mustAskAboutRefund({ refund: known }: GrantedCredits, report: Omit<RefundReport, 'answer'>): boolean {
  const { refund, saidAt } = report
  return refund === null || compareReports(known, { facts: refund, saidAt }, () => false) === 'ask'
}

/** What to record of a report; null if nothing. */
function seenRefund(granted: GrantedCredits, report: RefundReport, refundId: string): SeenRefund | null {
  const { refund, answer } = report
  if (refund !== null && !mustAskAboutRefund(granted, report)) {
    const isNews = compareReports(granted.refund, { facts: refund, saidAt: report.saidAt }, () => false) === 'newer'
    return isNews || isMadeAgain(granted, report, refundId) ? { ...refund, saidAt: report.saidAt, askedAt: null } : null
  }
  if (!answer) throw new Refusal('CONFLICT', 'the provider has to be asked about the refund')
  const { facts, askedAt } = answer
  // What is known was recorded before the question, so it is no newer than the answer.
  const known = granted.refund?.saidAt ?? report.saidAt
  const saidAt = secondOfAnswer(known > report.saidAt ? known : report.saidAt, askedAt)
  // An answer that confirms what is known counts too: it makes earlier events outdated.
  return { ...facts, saidAt, askedAt }
}

/** Two events of one second with the same amount: a refund was made, failed, was repaired by a person, and made again. */
function isMadeAgain(granted: GrantedCredits, { saidAt }: RefundReport, refundId: string): boolean {
  const { refund: known, isAnswer, waivedMicros, refunds } = granted
  const isRepeated = refunds.some((entry) => entry.refundId === refundId)
  return waivedMicros > 0n && !isAnswer && !isRepeated && known?.saidAt === saidAt
}

/** Records a report about refunds, and what follows from it. */
export function reportRefund(granted: GrantedCredits, report: RefundReport, refundId: string): GrantEvent[] {
  const seen = seenRefund(granted, report, refundId)
  if (!seen) return []
  const event = { type: 'RefundSeen', data: seen } as const
  return [event, ...settleGrant(evolveGrant(granted, event), refundId, seen.saidAt)]
}

/** Records what a dispute takes of the payment, and what follows from it. */
export function reportDispute(granted: GrantedCredits, seen: SeenDispute, refundId: string): GrantEvent[] {
  const known = granted.disputes.find(({ disputeId }) => disputeId === seen.disputeId)
  if (known && known.report >= seen.report) return []
  const event = { type: 'DisputeSeen', data: seen } as const
  return [event, ...settleGrant(evolveGrant(granted, event), refundId, seen.saidAt)]
}

/**
 * Adjusts what refunds and disputes have taken. What disputes give back comes first and what they take comes last, so that
 * the ledger never has more taken of a grant than was granted, whichever entry is its last. `id` is as for `settleRefunds`.
 */
export function settleGrant(granted: GrantedCredits, id: string, at: string): GrantEvent[] {
  const refunds = settleRefunds(granted, id, at)
  if (granted.grantId === null) return []
  const leftMicros = leftForDisputes(refunds.reduce(evolveGrant, granted))
  const { grantedMicros } = granted
  const { reinstated, withdrawn } = settleDisputes(granted.disputes, { grantedMicros, leftMicros, at })
  return [...reinstated, ...refunds, ...withdrawn]
}

/**
 * Adjusts what refunds have taken: either more is taken, or refund entries are corrected, the newest first. `id` is
 * that of the ledger refund or of the adjustment that may follow.
 */
function settleRefunds(granted: GrantedCredits, id: string, at: string): GrantEvent[] {
  const { grantId, refunds } = granted
  if (grantId === null) return []
  const [taken, due] = [takenByRefunds(granted), dueByRefunds(granted)]
  if (due > taken) {
    const amounts = { amountMicros: String(due - taken), totalMicros: String(due) }
    return [{ type: 'CreditsTakenBack', data: { refundId: id, ...amounts, takenBackAt: at } }]
  }
  const events: GrantEvent[] = []
  let left = taken - due
  for (const { refundId, amountMicros, givenBackMicros, corrections } of refunds.toReversed()) {
    const rest = amountMicros - givenBackMicros
    const amount = rest < left ? rest : left
    if (amount <= 0n) continue
    left -= amount
    const entry = { grantId, refundId, amountMicros: String(amount), correction: corrections + 1 }
    const by = { adjustmentId: id, reason: 'the refund failed', adjustedBy: null, isEarlier: false, correctedAt: at }
    events.push({ type: 'CreditsCorrected', data: { ...entry, ...by } })
  }
  return events
}

/** A correction by a person. */
export type CorrectionRequest = {
  readonly adjustmentId: string
  /** The ledger refund that it corrects; null if it corrects the grant. */
  readonly corrected: string | null
  readonly amountMicros: string
  readonly reason: string
  readonly by: string
  /** The id of the ledger refund that may follow: undoing a correction leaves more for a refund to take. */
  readonly refundId: string
  readonly at: string
}

export function correctCredits(granted: GrantedCredits, request: CorrectionRequest): GrantEvent[] {
  const { adjustmentId, corrected, reason, by: adjustedBy, refundId, at } = request
  const amountMicros = requireAdjustment(BigInt(request.amountMicros))
  const { grantId } = granted
  if (grantId === null) throw new Refusal('NOT_FOUND', 'no credits were granted that could be corrected')
  const correction = correctionNumber(granted, corrected, BigInt(amountMicros))
  const entry = { grantId, refundId: corrected, amountMicros, correction }
  const data = { ...entry, adjustmentId, reason, adjustedBy, isEarlier: false, correctedAt: at }
  const event = { type: 'CreditsCorrected', data } as const
  return [event, ...settleGrant(evolveGrant(granted, event), refundId, at)]
}

/** A correction that is on the ledger, from before corrections were decided on the stream of a purchase or invoice. */
export type EarlierCorrection = {
  readonly corrected: string | null
  readonly correction: number
  readonly amountMicros: string
  readonly adjustmentId: string
  readonly reason: string
  readonly adjustedBy: string | null
  readonly correctedAt: string
}

/** Adds those that are not known yet, and gives back what they and refunds together took beyond the grant. */
export function adoptCorrections(
  granted: GrantedCredits,
  {
    earlier,
    refundId,
    at,
  }: { readonly earlier: readonly EarlierCorrection[]; readonly refundId: string; readonly at: string },
): GrantEvent[] {
  const { grantId } = granted
  if (grantId === null) return []
  const events: GrantEvent[] = []
  let after = granted
  for (const { corrected, ...one } of earlier) {
    if (one.correction <= correctionsOf(after, corrected)) continue
    const event: GrantEvent = {
      type: 'CreditsCorrected',
      data: { grantId, refundId: corrected, ...one, isEarlier: true },
    }
    events.push(event)
    after = evolveGrant(after, event)
  }
  return events.length === 0 ? [] : [...events, ...settleGrant(after, refundId, at)]
}

/** How many corrections of the grant, or of one of its refund entries, are known. */
export function correctionsOf(granted: GrantedCredits, refundId: string | null): number {
  if (refundId === null) return granted.corrections
  return granted.refunds.find((entry) => entry.refundId === refundId)?.corrections ?? 0
}

/** The number of a correction by a person. Refused if it would take or give more than there is. */
function correctionNumber(granted: GrantedCredits, refundId: string | null, amountMicros: bigint): number {
  const refused = (what: string, first: bigint, now: bigint) => {
    const [whole, rest, correction] = [first, now, amountMicros].map(formatCredits)
    const after = formatCredits(now + amountMicros)
    return new Refusal(
      'INVALID',
      `${what} of ${whole} credits is worth ${rest} after its refunds, disputes and corrections, and ${correction} would make that ${after}: ` +
        `it must stay between 0 and ${whole}`,
    )
  }
  if (refundId === null) {
    const worth = worthMicros(granted)
    const corrected = granted.correctedMicros - amountMicros
    if (corrected < 0n || (amountMicros < 0n && worth + amountMicros < 0n)) {
      throw refused('the grant', granted.grantedMicros, worth)
    }
    return granted.corrections + 1
  }
  const entry = granted.refunds.find((one) => one.refundId === refundId)
  if (!entry) throw new Refusal('NOT_FOUND', `there is no refund ${refundId}`)
  const givenBack = entry.givenBackMicros + amountMicros
  const now = entry.givenBackMicros - entry.amountMicros
  if (givenBack < 0n || givenBack > entry.amountMicros) throw refused('the refund', -entry.amountMicros, now)
  const isTooMuch = takenByRefunds(granted) - amountMicros > limitOfRefunds(granted)
  if (amountMicros < 0n && (isTooMuch || worthMicros(granted) + amountMicros < 0n)) {
    throw new Refusal(
      'INVALID',
      `${formatCredits(amountMicros)} would take more credits for refunds than the refunded money is worth, or more than is left of the grant`,
    )
  }
  return entry.corrections + 1
}

function limitOfRefunds(granted: GrantedCredits): bigint {
  return dueByRefunds({ ...granted, waivedMicros: 0n })
}
