/** Something that differs from what was signed or from the rest, with what is known of its place. */
export type AuditFault = {
  readonly what: string
  readonly companyId: string | null
  readonly stream: string | null
  readonly eventId: string | null
  /** The place of the event in its stream, or its former place according to the log. */
  readonly revision: number | null
  /** Of the entry in the log. */
  readonly index: number | null
}

/** How many faults are named; further ones are counted. A replaced table has millions, which would fill the memory. */
const FAULTS_MAX = 100

export class AuditFaults {
  readonly named: AuditFault[] = []
  count = 0

  add(what: string, place: Partial<Omit<AuditFault, 'what'>> = {}): void {
    this.count += 1
    if (this.named.length === FAULTS_MAX) return
    const nowhere = { companyId: null, stream: null, eventId: null, revision: null, index: null }
    this.named.push({ what, ...nowhere, ...place })
  }

  addAll(others: AuditFaults): void {
    this.named.push(...others.named.slice(0, FAULTS_MAX - this.named.length))
    this.count += others.count
  }
}
