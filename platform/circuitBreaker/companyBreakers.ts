import { BREAKER_FAILURES_MAX, type BreakerOptions, type BreakerState, CircuitBreaker } from './circuitBreaker.ts'

/** Companies that must see failures before the breaker opens for all, unless fewer are active. */
export const BREAKER_COMPANIES_MIN = 3
/** A company is active if it began a call within this time, the longest that the first byte of an answer may take. */
export const COMPANY_ACTIVE_MS = 600_000
/** How many companies with failures are remembered. Those that failed least recently are forgotten first. */
export const FAILING_COMPANIES_MAX = 256

/**
 * service: no request can cause it, such as a refused connection or a wrong key; it counts for all companies. call: the
 * request may have caused it, such as a time-out or a 5xx; it counts for its company. usage: the answer reports
 * impossible usage; it counts for its company only.
 */
export type FailureKind = 'service' | 'call' | 'usage'

/** A call that was let through after the cool-down; null once it has failed. */
type Probe = { readonly call: object | null; readonly startedAtMs: number }

export type CompanyBreakersOptions = Omit<BreakerOptions, 'probeMsMax'> & {
  /** Called when the breaker of one company opens or closes. */
  readonly onCompanyChange?: (company: string, state: 'closed' | 'open') => void
}

/**
 * The circuit breakers of one service that companies share. Each company has its own breaker, which opens after five
 * consecutive failures of its calls, so a company whose requests make the service fail stops only itself. Five
 * consecutive failures of all calls together open the breaker for all, if they are failures of the service itself, or
 * if three companies, or all that are active, see them. If fewer than three see them, a company that comes later is let
 * through, and its answer closes the breaker.
 *
 * After the cool-down each company may make one call as a probe, at most three companies at a time. An answer closes
 * the breaker. It opens again if the probes of three companies, or of all that are active, fail. So no single company
 * can keep it open, neither with failing probes nor with a slow one.
 */
export class CompanyBreakers {
  readonly #options: CompanyBreakersOptions
  /** The breakers of companies with failures since their last complete answer, the one that failed last at the end. */
  readonly #own = new Map<string, CircuitBreaker>()
  /** The companies that began calls most recently: enough of them to find one without failures. */
  readonly #active: { company: string; atMs: number }[] = []
  #openedAtMs: number | null = null
  /** Fewer companies than the minimum have seen failures, so others are let through. */
  #isPartial = false
  /** Since the last complete answer of any company: all failures, and those of the service itself. */
  #failures = 0
  #serviceFailures = 0
  /** The companies that saw these failures, up to the minimum that opens the breaker. */
  readonly #seenBy = new Set<string>()
  readonly #probes = new Map<string, Probe>()

  constructor(options: CompanyBreakersOptions) {
    this.#options = options
  }

  /** For all companies. */
  get state(): BreakerState {
    if (this.#openedAtMs === null) return 'closed'
    return this.#cooldownLeftMs > 0 ? 'open' : 'half-open'
  }

  /** Time until a probe of the company may start; 0 while other calls of the company are let through. */
  cooldownLeftMs(company: string): number {
    return Math.max(this.#cooldownLeftMs, this.#own.get(company)?.cooldownLeftMs ?? 0)
  }

  tryStart(call: object, company: string): boolean {
    const nowMs = this.#options.clock.monotonicMs()
    this.#began(company, nowMs)
    if (this.#openedAtMs === null && this.#own.size === 0) return true
    const own = this.#own.get(company)
    if (own && !own.tryStart(call)) return false
    if (this.#openedAtMs === null || this.#isLetThrough(company)) return true
    if (this.#cooldownLeftMs === 0 && this.#mayProbe(company, nowMs)) {
      this.#probes.set(company, { call, startedAtMs: nowMs })
      return true
    }
    own?.abandoned(call)
    return false
  }

  /** The answer has begun. */
  answered(call: object, company: string): void {
    if (this.#own.size > 0) this.#own.get(company)?.answered(call)
    if (this.#openedAtMs === null) return
    if (this.#probes.get(company)?.call !== call && !this.#isLetThrough(company)) return
    this.#openedAtMs = null
    this.#probes.clear()
    // The next failure that may open the breaker does so at once.
    this.#failures = BREAKER_FAILURES_MAX - 1
    this.#serviceFailures = BREAKER_FAILURES_MAX - 1
    this.#options.onChange?.('closed')
  }

  /** Returns the number of the company's failures that the answer cleared, for `disproved`. */
  completed(company: string): number {
    // Calls that started before the breaker opened do not close it.
    if (this.#openedAtMs === null && this.#failures > 0) {
      this.#failures = 0
      this.#serviceFailures = 0
      this.#seenBy.clear()
    }
    const own = this.#own.size === 0 ? undefined : this.#own.get(company)
    if (own === undefined) return 0
    const failures = own.completed()
    if (own.state === 'closed') this.#own.delete(company)
    return failures
  }

  /** A complete answer turned out to be false, such as usage beyond a bound. */
  disproved(failuresBefore: number, company: string): void {
    this.#ownOf(company).disproved(failuresBefore)
  }

  failed(call: object, company: string, kind: FailureKind): void {
    if (kind === 'service') this.#own.get(company)?.abandoned(call)
    else this.#ownOf(company).failed(call)
    if (kind === 'usage') this.#endProbe(call, company)
    else if (this.#openedAtMs === null) this.#failedClosed(company, kind)
    else this.#failedOpen(call, company, kind)
  }

  /** The call ended and says nothing about the service. */
  abandoned(call: object, company: string): void {
    if (this.#own.size > 0) this.#own.get(company)?.abandoned(call)
    this.#endProbe(call, company)
  }

  get #cooldownLeftMs(): number {
    const { clock, cooldownMs } = this.#options
    return this.#openedAtMs === null ? 0 : Math.max(0, this.#openedAtMs + cooldownMs - clock.monotonicMs())
  }

  #failedClosed(company: string, kind: FailureKind): void {
    this.#failures++
    if (kind === 'service') this.#serviceFailures++
    this.#sees(company)
    const isOfService = this.#serviceFailures >= BREAKER_FAILURES_MAX
    if (isOfService || (this.#failures >= BREAKER_FAILURES_MAX && this.#isSpread(this.#seenBy))) this.#open(isOfService)
  }

  #failedOpen(call: object, company: string, kind: FailureKind): void {
    this.#sees(company)
    const probe = this.#probes.get(company)
    if (probe?.call !== call) return
    this.#probes.set(company, { ...probe, call: null })
    const failed = new Set<string>()
    for (const [each, { call: running }] of this.#probes) if (running === null) failed.add(each)
    if (kind === 'service' || this.#isSpread(failed)) this.#open(kind === 'service')
  }

  #open(isOfService: boolean): void {
    this.#openedAtMs = this.#options.clock.monotonicMs()
    this.#isPartial = !isOfService && this.#seenBy.size < BREAKER_COMPANIES_MIN
    this.#probes.clear()
    this.#options.onChange?.('open')
  }

  #sees(company: string): void {
    if (this.#seenBy.size < BREAKER_COMPANIES_MIN) this.#seenBy.add(company)
    if (this.#seenBy.size === BREAKER_COMPANIES_MIN) this.#isPartial = false
  }

  /** Whether these companies are enough to conclude that the service fails for all. */
  #isSpread(companies: ReadonlySet<string>): boolean {
    if (companies.size >= BREAKER_COMPANIES_MIN) return true
    const since = this.#options.clock.monotonicMs() - COMPANY_ACTIVE_MS
    return this.#active.every(({ company, atMs }) => atMs < since || companies.has(company))
  }

  #isLetThrough(company: string): boolean {
    return this.#isPartial && !this.#seenBy.has(company)
  }

  #mayProbe(company: string, nowMs: number): boolean {
    for (const [each, { startedAtMs }] of this.#probes) {
      if (nowMs - startedAtMs >= this.#options.cooldownMs) this.#probes.delete(each)
    }
    return !this.#probes.has(company) && this.#probes.size < BREAKER_COMPANIES_MIN
  }

  #endProbe(call: object, company: string): void {
    if (this.#probes.get(company)?.call === call) this.#probes.delete(company)
  }

  #began(company: string, nowMs: number): void {
    let oldest = this.#active[0]
    for (const each of this.#active) {
      if (each.company === company) {
        each.atMs = nowMs
        return
      }
      if (oldest && each.atMs < oldest.atMs) oldest = each
    }
    if (!oldest || this.#active.length < BREAKER_COMPANIES_MIN) {
      this.#active.push({ company, atMs: nowMs })
    } else {
      oldest.company = company
      oldest.atMs = nowMs
    }
  }

  #ownOf(company: string): CircuitBreaker {
    const known = this.#own.get(company)
    this.#own.delete(company)
    const { clock, cooldownMs, onCompanyChange } = this.#options
    const onChange = (state: 'closed' | 'open') => onCompanyChange?.(company, state)
    const own = known ?? new CircuitBreaker({ clock, cooldownMs, probeMsMax: cooldownMs, onChange })
    this.#own.set(company, own)
    if (this.#own.size > FAILING_COMPANIES_MAX) {
      for (const leastRecent of this.#own.keys()) {
        this.#own.delete(leastRecent)
        break
      }
    }
    return own
  }
}
