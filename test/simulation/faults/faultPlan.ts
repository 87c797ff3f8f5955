import { Random } from '../scheduler/random.ts'

/** The highest chance of each fault, each time that it could happen. Each seed draws its own below it, or none. */
const CHANCE_MAX = {
  'database connection dies before the statement': 0.01,
  'database connection dies after the statement': 0.01,
  'database message is late': 0.02,
  'database is silent': 0.001,
  'process is killed': 0.5,
  'process is paused': 0.5,
  'clock jumps': 0.2,
  'file is torn': 0.9,
  'file is missing': 0.5,
  'append is stored and its answer lost': 0.05,
  'append is refused': 0.05,
  'append is late': 0.05,
  'delivery is repeated': 0.1,
  'delivery is late': 0.1,
  'shared state is silent': 0.02,
  'shared state fails': 0.02,
  'connection breaks': 0.01,
  'message is late': 0.02,
  'provider cuts its answer': 0.1,
  'provider sends no usage': 0.05,
  'provider is late': 0.1,
  'provider refuses': 0.1,
  'caller leaves': 0.1,
  'payment event is repeated': 0.2,
  'payment event is late': 0.3,
  'payment event is lost': 0.05,
  'payment answer is lost': 0.05,
  'payment provider fails': 0.1,
  'mail is refused': 0.2,
  'webhook is refused': 0.2,
  'removed file is back': 0.5,
  'disk is slow': 0.3,
  'mail answer is lost': 0.3,
  'webhook answer is lost': 0.3,
  'webhook answer is late': 0.1,
  'store is silent': 0.03,
  'store falls silent with its answer': 0.5,
  'append is slow': 0.1,
  'process dies with its append': 0.02,
  'process is paused after a claim': 0.05,
  'file is damaged': 0.9,
  'process is killed at a file call': 0.9,
  'process is paused at a statement': 0.002,
  'process is cut off from the database': 0.05,
  'read of events fails': 0.5,
  'provider is down': 0.03,
  'process is killed while it is cut off': 0.9,
} as const

export type FaultKind = keyof typeof CHANCE_MAX

/** In this share of the seeds a kind of fault does not happen at all, so that it does not hide what others show. */
const ABSENT_SHARE = 0.5

/** Which faults happen in a run, how often, and how often they did. */
export class FaultPlan {
  isOn = false
  readonly counts = new Map<FaultKind, number>()
  readonly #random: Random
  readonly #chances = new Map<FaultKind, number>()
  /** When each kind happened, the last time at the end. */
  readonly #times = new Map<FaultKind, number[]>()
  readonly #nowMs: () => number
  #endMs = 0

  constructor(seed: number, nowMs: () => number = () => 0) {
    this.#nowMs = nowMs
    this.#random = Random.named(seed, 'faults')
    for (const [kind, max] of Object.entries(CHANCE_MAX)) {
      // The same number of draws for every seed and kind.
      const [presence, height] = [this.#random.fraction(), this.#random.fraction()]
      this.#chances.set(kind as FaultKind, presence < ABSENT_SHARE ? 0 : max * height ** 2)
    }
  }

  /** Draws whether the fault happens now, and counts it. The caller then has to inject it. */
  happens(kind: FaultKind): boolean {
    if (!this.isOn || !this.#random.chance(this.#chances.get(kind) ?? 0)) return false
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
    const times = this.#times.get(kind)
    if (times) times.push(this.#nowMs())
    else this.#times.set(kind, [this.#nowMs()])
    return true
  }

  /** A fault that happened goes on for this long, also if no others happen any more. */
  lastsFor(ms: number): void {
    this.#endMs = Math.max(this.#endMs, this.#nowMs() + ms)
  }

  /** When the last of those ends, as a time of the run. */
  get endMs(): number {
    return this.#endMs
  }

  /** Whether one of them happened within this time. */
  happenedWithin(ms: number, kinds: readonly FaultKind[]): boolean {
    return kinds.some((kind) => this.#nowMs() - (this.#times.get(kind)?.at(-1) ?? Number.NEGATIVE_INFINITY) <= ms)
  }

  /** Whether it happened between the two moments, as times of the run. */
  happenedBetween(fromMs: number, toMs: number, kind: FaultKind): boolean {
    return this.#times.get(kind)?.some((ms) => ms >= fromMs && ms <= toMs) ?? false
  }
}
