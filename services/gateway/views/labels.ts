import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { OTHER_LABEL } from '../../../contracts/usageLabel.ts'
import { dayOf } from '../../../projections/dailyTokens/projection.ts'

/** Labels of a company on a UTC day. Usage has rows for each label, so their number must have a limit. */
export const LABELS_PER_DAY_MAX = 1_000

type Day = { readonly day: string; readonly labels: Set<string> }

/** The labels that each company has used on the newest day, over all gateways. */
export class LabelView {
  readonly #days = new Map<string, Day>()

  /** The label to count a call under: its own, or `(other)` if the company has used too many others on that day. */
  admit(companyId: string, label: string | null, admittedAt: string): string | null {
    if (label === null) return null
    const labels = this.#labelsOf(companyId, dayOf(admittedAt))
    // Another gateway's clock is on the next day already; whatever is counted there has its own limit.
    if (!labels || labels.has(label)) return label
    if (labels.size >= LABELS_PER_DAY_MAX) return OTHER_LABEL
    labels.add(label)
    return label
  }

  seed(rows: readonly { readonly companyId: string; readonly label: string }[], day: string): void {
    for (const { companyId, label } of rows) this.#use(companyId, label, day)
  }

  apply(event: LedgerEvent): void {
    if (event.type !== 'CallCharged' && event.type !== 'CallFailed') return
    const { companyId, label, admittedAt } = event.data
    if (label !== null) this.#use(companyId, label, dayOf(admittedAt))
  }

  #use(companyId: string, label: string, day: string): void {
    if (label !== OTHER_LABEL) this.#labelsOf(companyId, day)?.add(label)
  }

  /** Null if the day is over. */
  #labelsOf(companyId: string, day: string): Set<string> | null {
    const newest = this.#days.get(companyId)
    if (newest && day === newest.day) return newest.labels
    if (newest && day < newest.day) return null
    const labels = new Set<string>()
    this.#days.set(companyId, { day, labels })
    return labels
  }
}
