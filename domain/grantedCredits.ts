import type { CorrectedCredits } from '../contracts/events/payment.ts'
import { unexpected } from './decider.ts'
import { type DisputeEntry, type DisputeGrantEvent, evolveDisputes, takenByDisputes } from './disputedCredits.ts'
import { type Known, knownFromAnswer } from './providerReport.ts'
import { creditsTakenBack, type RefundSoFar } from './refund.ts'

/** An entry of the ledger by which credits of the grant were taken back for a refund. */
export type RefundEntry = {
  readonly refundId: string
  readonly amountMicros: bigint
  /** How much its corrections have given back. */
  readonly givenBackMicros: bigint
  readonly corrections: number
}

/**
 * The credits that a purchase or an invoice granted, and what happened to them. Refunds, disputes and corrections of them
 * are decided here, on one stream at its exact revision, because the ledger is appended to without reading it.
 *
 * The rule: with `due` for the credits that the refunded money is worth, less what was waived, taken by refunds =
 * min(due, granted − taken by corrections of the grant). Disputes take what the disputed money is worth, at most what is
 * left then. So refunds, disputes and corrections together never take more than was granted, in whatever order they come.
 */
export type GrantedCredits = {
  /** The grant on the ledger; null until there is one. */
  readonly grantId: string | null
  readonly grantedMicros: bigint
  /** The newest report about refunds; it waits for the grant. */
  readonly refund: Known<RefundSoFar> | null
  /** Whether that report is an answer of the provider. */
  readonly isAnswer: boolean
  readonly refunds: readonly RefundEntry[]
  /** Taken by corrections of the grant itself. */
  readonly correctedMicros: bigint
  readonly corrections: number
  /** What a person gave back by correcting refund entries although the provider reported the refund. */
  readonly waivedMicros: bigint
  /** In the order of their ids, so that what each takes does not depend on the order in which they are heard of. */
  readonly disputes: readonly DisputeEntry[]
}

export const NOTHING_GRANTED: GrantedCredits = {
  grantId: null,
  grantedMicros: 0n,
  refund: null,
  isAnswer: false,
  refunds: [],
  correctedMicros: 0n,
  corrections: 0,
  waivedMicros: 0n,
  disputes: [],
}

/** `askedAt` is null if an event of the provider reported it. */
export type SeenRefund = RefundSoFar & { readonly saidAt: string; readonly askedAt: string | null }
type TakenBack = {
  readonly refundId: string
  readonly amountMicros: string
  readonly totalMicros: string
  readonly takenBackAt: string
}

/** The events about granted credits that purchases and invoices share, without their own ids. */
export type GrantEvent =
  | { readonly type: 'RefundSeen'; readonly data: SeenRefund }
  | { readonly type: 'CreditsTakenBack'; readonly data: TakenBack }
  | { readonly type: 'CreditsCorrected'; readonly data: CorrectedCredits }
  | DisputeGrantEvent

export function evolveGrant(before: GrantedCredits, event: GrantEvent): GrantedCredits {
  switch (event.type) {
    case 'RefundSeen':
      return withRefundSeen(before, event.data)
    case 'CreditsTakenBack':
      return withTakenBack(before, event.data)
    case 'CreditsCorrected':
      return withCorrection(before, event.data)
    case 'DisputeSeen':
    case 'CreditsWithdrawn':
    case 'CreditsReinstated':
      return { ...before, disputes: evolveDisputes(before.disputes, event) }
    default:
      return unexpected(event)
  }
}

/** The net amount that refunds have taken. */
export function takenByRefunds({ refunds }: GrantedCredits): bigint {
  return refunds.reduce((sum, { amountMicros, givenBackMicros }) => sum + amountMicros - givenBackMicros, 0n)
}

/** What is left of the grant. */
export function worthMicros(granted: GrantedCredits): bigint {
  return leftForDisputes(granted) - takenByDisputes(granted.disputes)
}

/** What refunds and corrections leave of the grant. */
export function leftForDisputes(granted: GrantedCredits): bigint {
  return granted.grantedMicros - granted.correctedMicros - takenByRefunds(granted)
}

function refundedMicros({ grantedMicros, refund }: GrantedCredits): bigint {
  return refund ? creditsTakenBack(grantedMicros, refund.facts) : 0n
}

/** What refunds should have taken by the rule above. */
export function dueByRefunds(granted: GrantedCredits): bigint {
  const due = refundedMicros(granted) - granted.waivedMicros
  const left = granted.grantedMicros - granted.correctedMicros
  return atLeastZero(due < left ? due : left)
}

function atLeastZero(value: bigint): bigint {
  return value > 0n ? value : 0n
}

function withRefundSeen(before: GrantedCredits, seen: SeenRefund): GrantedCredits {
  const { chargedMinor, refundedMinor, saidAt, askedAt } = seen
  const facts = { chargedMinor, refundedMinor }
  const refund = askedAt === null ? { facts, saidAt, answered: false } : knownFromAnswer({ facts, saidAt, askedAt })
  const after = { ...before, refund, isAnswer: askedAt !== null }
  return { ...after, waivedMicros: waivedAfter(before, after) }
}

/**
 * A failed refund is no longer there to be waived: what a person gave back because of it was its repair. Each refund is
 * reported by one event, so a newer event with no larger amount means that one failed in between and was made again.
 */
function waivedAfter(before: GrantedCredits, after: GrantedCredits): bigint {
  const refunded = BigInt(after.refund?.facts.refundedMinor ?? '0')
  if (refunded > BigInt(before.refund?.facts.refundedMinor ?? '0')) return before.waivedMicros
  if (!after.isAnswer) return 0n
  return atLeastZero(before.waivedMicros - (refundedMicros(before) - refundedMicros(after)))
}

function withTakenBack(before: GrantedCredits, { refundId, amountMicros }: TakenBack): GrantedCredits {
  const entry = { refundId, amountMicros: BigInt(amountMicros), givenBackMicros: 0n, corrections: 0 }
  return { ...before, refunds: [...before.refunds, entry] }
}

function withCorrection(before: GrantedCredits, correction: CorrectedCredits): GrantedCredits {
  const amount = BigInt(correction.amountMicros)
  const { refundId, adjustedBy, correction: corrections } = correction
  if (refundId === null) return { ...before, correctedMicros: before.correctedMicros - amount, corrections }
  const refunds = before.refunds.map((entry) =>
    entry.refundId === refundId ? { ...entry, givenBackMicros: entry.givenBackMicros + amount, corrections } : entry,
  )
  const after = { ...before, refunds }
  return adjustedBy === null
    ? after
    : { ...after, waivedMicros: atLeastZero(refundedMicros(after) - takenByRefunds(after)) }
}
