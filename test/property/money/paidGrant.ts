/**
 * The credits that one payment granted, by the rules that the issue and the documents for admins give, and nothing else:
 *
 * - Refunded money takes its credits back in proportion, rounded down; a refund that fails gives them back.
 * - What a person gives back of a refund stays with the company until the refund fails or is made again.
 * - Disputed money takes its credits while the dispute is open and after it was lost.
 * - Refunds, disputes and corrections together never take more than was granted. A refund goes before a dispute.
 * - Of reports about one thing, the newest counts. A dispute that has ended is not opened again by a report.
 */

export type Movement = {
  /** Positive if it gives credits back. */
  readonly credits: number
  readonly by: 'refund' | 'dispute' | 'correction'
  /** A person decided it, or a refund failed, so that the ledger has it as an adjustment. */
  readonly isAdjustment: boolean
}

export type DisputeStatus = 'open' | 'won' | 'lost' | 'withdrawn'
type Dispute = { readonly id: string; at: number; status: DisputeStatus; minor: number; taken: number }
type RefundEntry = { readonly amount: number; givenBack: number }

export type PaymentFacts = {
  readonly lotId: string
  /** The id of the purchase or invoice. */
  readonly ownId: string
  readonly isPurchase: boolean
  readonly credits: number
  readonly chargedMinor: number
}

export class PaidGrant {
  readonly facts: PaymentFacts
  isGranted = false
  #refund: { readonly at: number; readonly minor: number } | null = null
  readonly refunds: RefundEntry[] = []
  #corrected = 0
  #waived = 0
  /** In the order of their ids. */
  readonly #disputes: Dispute[] = []

  constructor(facts: PaymentFacts) {
    this.facts = facts
  }

  get takenByRefunds(): number {
    return this.refunds.reduce((sum, { amount, givenBack }) => sum + amount - givenBack, 0)
  }

  get takenByDisputes(): number {
    return this.#disputes.reduce((sum, { taken }) => sum + taken, 0)
  }

  get worth(): number {
    return this.#leftByRefunds - this.takenByDisputes
  }

  get hasOpenDispute(): boolean {
    return this.#disputes.some(({ status }) => status === 'open')
  }

  get disputeIds(): string[] {
    return this.#disputes.map(({ id }) => id)
  }

  /** The time of the newest report about refunds. */
  get refundAt(): number {
    return this.#refund?.at ?? 0
  }

  statusOf(disputeId: string): DisputeStatus | null {
    return this.#disputes.find(({ id }) => id === disputeId)?.status ?? null
  }

  paid(): Movement[] {
    if (this.isGranted) return []
    this.isGranted = true
    return this.#settled()
  }

  refundSeen(minor: number, at: number, isAnswer: boolean): Movement[] {
    const before = this.#refund
    if (!isAnswer && before && at <= before.at) return []
    const refundedBefore = this.#refunded
    this.#refund = { at: before && before.at > at ? before.at : at, minor }
    if (minor <= (before?.minor ?? 0)) {
      const failed = refundedBefore - this.#refunded
      this.#waived = isAnswer ? Math.max(0, this.#waived - failed) : 0
    }
    return this.#settled()
  }

  disputeSeen(id: string, { at, status, minor }: Pick<Dispute, 'at' | 'status' | 'minor'>): Movement[] {
    const known = this.#disputes.find((each) => each.id === id)
    if (known) {
      const [hadEnded, ends] = [known.status !== 'open', status !== 'open']
      const isNews = hadEnded === ends ? at > known.at : ends
      if (!isNews) return []
      Object.assign(known, { at, status, minor })
    } else {
      this.#disputes.push({ id, at, status, minor, taken: 0 })
      this.#disputes.sort((one, other) => (one.id < other.id ? -1 : 1))
    }
    return this.#settled()
  }

  /** Null if it would make the grant, or the refund, worth less than nothing or more than it was at first. */
  corrected(entry: 'grant' | 'refund', credits: number): Movement[] | null {
    if (!this.isGranted || credits === 0) return null
    if (entry === 'grant') {
      const corrected = this.#corrected - credits
      if (corrected < 0 || (credits < 0 && this.worth + credits < 0)) return null
      this.#corrected = corrected
      return [{ credits, by: 'correction', isAdjustment: true }, ...this.#settled()]
    }
    const refund = this.refunds.at(-1)
    if (!refund) return null
    const givenBack = refund.givenBack + credits
    if (givenBack < 0 || givenBack > refund.amount) return null
    const taken = this.takenByRefunds - credits
    const mayTake = taken <= Math.min(this.#refunded, this.facts.credits - this.#corrected) && this.worth + credits >= 0
    if (credits < 0 && !mayTake) return null
    refund.givenBack = givenBack
    this.#waived = Math.max(0, this.#refunded - this.takenByRefunds)
    return [{ credits, by: 'refund', isAdjustment: true }, ...this.#settled()]
  }

  get #refunded(): number {
    return this.#creditsOf(this.#refund?.minor ?? 0)
  }

  get #leftByRefunds(): number {
    return this.facts.credits - this.#corrected - this.takenByRefunds
  }

  #creditsOf(minor: number): number {
    const { credits, chargedMinor } = this.facts
    return minor >= chargedMinor ? credits : Math.floor((credits * minor) / chargedMinor)
  }

  /** What is given back comes first and what disputes take comes last, so that no moment has more taken than granted. */
  #settled(): Movement[] {
    if (!this.isGranted) return []
    const refunds = this.#settleRefunds()
    let left = this.#leftByRefunds
    const [back, taken]: [Movement[], Movement[]] = [[], []]
    for (const dispute of this.#disputes) {
      const takes = dispute.status === 'open' || dispute.status === 'lost'
      const due = Math.min(takes ? this.#creditsOf(dispute.minor) : 0, left)
      left -= due
      const credits = dispute.taken - due
      dispute.taken = due
      if (credits !== 0) (credits > 0 ? back : taken).push({ credits, by: 'dispute', isAdjustment: false })
    }
    return [...back, ...refunds, ...taken]
  }

  #settleRefunds(): Movement[] {
    const due = Math.max(0, Math.min(this.#refunded - this.#waived, this.facts.credits - this.#corrected))
    let back = this.takenByRefunds - due
    if (back < 0) {
      this.refunds.push({ amount: -back, givenBack: 0 })
      return [{ credits: back, by: 'refund', isAdjustment: false }]
    }
    const movements: Movement[] = []
    for (const refund of this.refunds.toReversed()) {
      const credits = Math.min(back, refund.amount - refund.givenBack)
      if (credits === 0) continue
      refund.givenBack += credits
      back -= credits
      movements.push({ credits, by: 'refund', isAdjustment: true })
    }
    return movements
  }
}
