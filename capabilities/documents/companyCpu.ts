import type { Clock } from '../../platform/clock/clock.ts'

/** How many companies are remembered; those whose last document is oldest are forgotten first. */
export const CPU_COMPANIES_MAX = 10_000

export type CpuLimits = {
  /** The CPU time that a company may spend in one burst. */
  readonly cpuBurstMs: number
  /** The fraction of one core that it may use continuously. */
  readonly cpuShare: number
}

type Spent = { readonly ms: number; readonly atMs: number }

/** The CPU time spent on the documents of each company. It is forgiven as time passes. */
export class CompanyCpu {
  readonly #clock: Clock
  readonly #limits: CpuLimits
  readonly #spent = new Map<string, Spent>()

  constructor(clock: Clock, limits: CpuLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  /** How long the company must wait before its next document is read; 0 if it need not. */
  waitMs(companyId: string): number {
    const { cpuBurstMs, cpuShare } = this.#limits
    return Math.ceil(Math.max(0, this.#left(companyId) - cpuBurstMs) / cpuShare)
  }

  spend(companyId: string, ms: number): void {
    const left = this.#left(companyId)
    this.#spent.delete(companyId)
    this.#spent.set(companyId, { ms: left + ms, atMs: this.#clock.monotonicMs() })
    for (const oldest of this.#spent.keys()) {
      if (this.#spent.size <= CPU_COMPANIES_MAX) break
      this.#spent.delete(oldest)
    }
  }

  /** CPU time that was spent and is not forgiven yet. */
  #left(companyId: string): number {
    const spent = this.#spent.get(companyId)
    if (spent === undefined) return 0
    return Math.max(0, spent.ms - (this.#clock.monotonicMs() - spent.atMs) * this.#limits.cpuShare)
  }
}
