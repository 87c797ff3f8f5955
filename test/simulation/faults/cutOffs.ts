import type { Random } from '../scheduler/random.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { FaultPlan } from './faultPlan.ts'

const CUT_OFF_MS_MIN = 10_000
const CUT_OFF_MS_MAX = 35_000
/** The product waits five seconds for an append and pursues it for ten more. Then it records that the outcome is unknown. */
const UNKNOWN_MS = 15_500

type Options = {
  readonly scheduler: Scheduler
  readonly faults: FaultPlan
  readonly random: Random
  readonly kill: (owner: SimulatedProcess) => void
}

/**
 * Processes that neither hear the database nor are heard by it, for longer than the product waits. It begins when the
 * database has stored an append and is about to answer, so that the outcome stays unknown.
 */
export class CutOffs {
  /** The names of the processes to which it happens; none unless a world says so. */
  readonly victims = new Set<string>()
  readonly #options: Options
  readonly #untilMs = new Map<SimulatedProcess, number>()

  constructor(options: Options) {
    this.#options = options
  }

  /** An append of this process was stored, and is not answered yet. */
  stored(owner: SimulatedProcess | null): void {
    const { scheduler, faults, random } = this.#options
    if (!owner || !this.victims.has(owner.name) || this.leftMs(owner) > 0) return
    if (!faults.happens('process is cut off from the database')) return
    const ms = random.between(CUT_OFF_MS_MIN, CUT_OFF_MS_MAX)
    this.#untilMs.set(owner, scheduler.nowMs + ms)
    faults.lastsFor(ms)
    scheduler.record(`${owner.name} is cut off from the database for ${ms} ms`)
    if (ms > UNKNOWN_MS && faults.happens('process is killed while it is cut off')) this.#killLater(owner, ms)
  }

  /** How long a message of or to this process has to wait. */
  leftMs(owner: SimulatedProcess | null): number {
    const { scheduler, faults } = this.#options
    return owner && faults.isOn ? Math.max(0, (this.#untilMs.get(owner) ?? 0) - scheduler.nowMs) : 0
  }

  #killLater(owner: SimulatedProcess, beforeMs: number): void {
    const { scheduler, faults, random, kill } = this.#options
    const step = { owner: null, label: `${owner.name} is in trouble`, delayMs: random.between(UNKNOWN_MS, beforeMs) }
    scheduler.schedule(step, () => {
      if (faults.isOn) kill(owner)
    })
  }
}
