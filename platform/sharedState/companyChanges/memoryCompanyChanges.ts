import type { Position } from '../../../contracts/position.ts'
import type { ChangedCategory, ChangedPositions, CompanyChanges } from './port.ts'

/** Beyond this many companies the one that was changed first is forgotten. */
const COMPANIES_MAX = 10_000

/** The embedded default, for a single process. */
export class MemoryCompanyChanges implements CompanyChanges {
  readonly #changes = new Map<string, ChangedPositions>()

  async record(companyId: string, category: ChangedCategory, position: Position): Promise<void> {
    const known = this.#changes.get(companyId) ?? {}
    if ((known[category] ?? '') >= position) return
    this.#changes.delete(companyId)
    this.#changes.set(companyId, { ...known, [category]: position })
    const [oldest] = this.#changes.keys()
    if (this.#changes.size > COMPANIES_MAX && oldest !== undefined) this.#changes.delete(oldest)
  }

  async read(companyId: string): Promise<ChangedPositions> {
    return this.#changes.get(companyId) ?? {}
  }
}
