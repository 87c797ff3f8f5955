export const FAULTS = [
  /** Stored, but never answered. */
  'loseAck',
  /** Stored, but answered only when the test allows it. */
  'holdAck',
  /** Stored and answered only when the test allows it, like a server that cannot keep up. */
  'holdAppend',
  /** Neither stored nor answered. */
  'neverAnswer',
  /** All connections break before the append is stored, or right after it. */
  'dropBefore',
  'dropAfter',
  /** The same, and the node restarts and forgets all event ids. */
  'restartBefore',
  'restartAfter',
] as const

export type Fault = (typeof FAULTS)[number]

/** Once, or at every n-th append from now on. */
export type FaultPlan = { readonly fault: Fault; readonly every?: number }

/** Faults that a test can switch on. */
export class Faults {
  /** Ids that were stored are unknown to an append with "any", which is then stored again. */
  forgetsIds = false
  /** How many times each fault was applied. */
  readonly struck = new Map<Fault, number>()
  readonly held: (() => void)[] = []
  #plan: FaultPlan | null = null
  #appends = 0

  arm(plan: FaultPlan): void {
    this.#plan = plan
    this.#appends = 0
  }

  disarm(): void {
    this.#plan = null
    this.forgetsIds = false
  }

  release(): void {
    for (const answer of this.held.splice(0)) answer()
  }

  /** Decides the fate of each append. */
  next(): Fault | null {
    const plan = this.#plan
    if (!plan || ++this.#appends % (plan.every ?? 1) !== 0) return null
    if (plan.every === undefined) this.#plan = null
    this.struck.set(plan.fault, (this.struck.get(plan.fault) ?? 0) + 1)
    return plan.fault
  }
}
