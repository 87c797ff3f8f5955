import type { CallLimits } from '../../../contracts/events/callLimits.ts'
import type { CompanyEvent } from '../../../contracts/events/company.ts'
import type { ProjectEvent } from '../../../contracts/events/project.ts'

/** The limits of companies and projects; those of keys are in the view of keys. */
export class LimitView {
  readonly #limits = new Map<string, CallLimits>()

  /** Of a company or a project; null if nothing is limited. */
  of(id: string): CallLimits | null {
    return this.#limits.get(id) ?? null
  }

  get isEmpty(): boolean {
    return this.#limits.size === 0
  }

  seed(rows: readonly { readonly id: string; readonly limits: CallLimits }[]): void {
    for (const { id, limits } of rows) this.#set(id, limits)
  }

  apply(event: CompanyEvent | ProjectEvent): void {
    switch (event.type) {
      case 'CompanyLimitsSet':
        this.#set(event.data.companyId, event.data.limits)
        return
      case 'ProjectCreated':
        this.#set(event.data.projectId, event.data.limits)
        return
      case 'ProjectUpdated':
        if (event.data.limits) this.#set(event.data.projectId, event.data.limits)
        return
      default:
        return
    }
  }

  #set(id: string, limits: CallLimits): void {
    if (Object.values(limits).every((limit) => limit === null)) this.#limits.delete(id)
    else this.#limits.set(id, limits)
  }
}
