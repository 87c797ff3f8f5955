import type { FaultPlan } from './faults/faultPlan.ts'
import { Random } from './scheduler/random.ts'
import type { Scheduler } from './scheduler/scheduler.ts'
import { SimulatedProcess } from './scheduler/simulatedProcess.ts'

const RESTARTED_AFTER_MS = 500
const DISTURBED_EVERY_MS = 3_000
const DOWN_MS_MAX = 5_000
const PAUSED_MS_MAX = 8_000
/** Longer than every lease that a process renews. */
const LEASES_END_MS = 3_500
const CLOCK_AHEAD_MS_MAX = 1_000
const CLOCK_JUMP_MS_MAX = 20_000

/** A process that is started again whenever it ends, as by a supervisor. */
export type ProcessKind = {
  readonly name: string
  /** Runs in the context of the process. If it fails, the process ends. */
  start(owner: SimulatedProcess): Promise<void>
}

type Options = {
  readonly seed: number
  readonly scheduler: Scheduler
  readonly faults: FaultPlan
  /** A process that has something to itself which all need must not be paused. */
  readonly mayPause: (owner: SimulatedProcess) => boolean
}

/** Starts, kills, pauses and restarts processes. */
export class Processes {
  readonly #options: Options
  readonly #random: Random
  readonly #living = new Map<string, SimulatedProcess>()
  #started = 0
  kills = 0
  failedStarts = 0
  readonly pauses: { readonly name: string; readonly fromMs: number; readonly toMs: number }[] = []

  constructor(options: Options) {
    this.#options = options
    this.#random = Random.named(options.seed, 'processes')
  }

  start(kind: ProcessKind): void {
    const { scheduler } = this.#options
    this.#started += 1
    const owner = new SimulatedProcess(kind.name, { pid: 1_000 + this.#started, bornMs: scheduler.elapsedMs })
    owner.clockAheadMs = this.#random.between(-CLOCK_AHEAD_MS_MAX, CLOCK_AHEAD_MS_MAX)
    this.#living.set(kind.name, owner)
    owner.onKill(() => {
      this.#living.delete(kind.name)
      const downMs = owner.downMs
      scheduler.processes.exit(() =>
        scheduler.schedule({ owner: null, label: `${kind.name} is restarted`, delayMs: downMs }, () =>
          this.start(kind),
        ),
      )
    })
    scheduler.processes.run(owner, () =>
      kind.start(owner).catch((error: unknown) => {
        if (owner.isDead) return
        this.failedStarts += 1
        scheduler.record(`${kind.name} cannot start: ${String(error)}`)
        owner.downMs = RESTARTED_AFTER_MS
        owner.kill()
      }),
    )
  }

  get(name: string): SimulatedProcess | undefined {
    return this.#living.get(name)
  }

  get living(): readonly SimulatedProcess[] {
    return [...this.#living.values()]
  }

  kill(owner: SimulatedProcess): void {
    if (owner.isDead) return
    this.kills += 1
    owner.downMs = this.#random.fraction() * DOWN_MS_MAX
    this.#options.scheduler.record(`${owner.name} is killed`)
    owner.kill()
  }

  /** Disturbs one process every few seconds, as the plan says. */
  disturb(): void {
    const { scheduler, faults } = this.#options
    scheduler.schedule(
      { owner: null, label: 'disturbance', delayMs: this.#random.fraction() * 2 * DISTURBED_EVERY_MS },
      () => {
        if (!faults.isOn) return
        const living = this.living
        if (living.length > 0) this.#disturbOne(this.#random.pick(living))
        this.disturb()
      },
    )
  }

  /** A process stops between a statement and what it does with the answer, and meanwhile loses its leases. */
  pauseAtStatement(owner: SimulatedProcess): void {
    const { faults, mayPause } = this.#options
    const isIdle = owner.pausedUntilMs <= this.#options.scheduler.nowMs
    if (!isIdle || this.#living.get(owner.name) !== owner || !mayPause(owner)) return
    if (faults.happens('process is paused at a statement')) {
      this.pause(owner, LEASES_END_MS)
    }
  }

  /** Its transaction began while it was paused. */
  wakeHolder(): void {
    for (const owner of this.#living.values()) if (!this.#options.mayPause(owner)) owner.pausedUntilMs = 0
  }

  pause(owner: SimulatedProcess, msMin = 0): void {
    const { scheduler } = this.#options
    owner.pausedUntilMs = scheduler.nowMs + this.#random.between(msMin, PAUSED_MS_MAX)
    this.pauses.push({ name: owner.name, fromMs: scheduler.nowMs, toMs: owner.pausedUntilMs })
    scheduler.record(`${owner.name} is paused until ${owner.pausedUntilMs}`)
  }

  endPauses(): void {
    for (const owner of this.living) owner.pausedUntilMs = 0
  }

  #disturbOne(owner: SimulatedProcess): void {
    const { scheduler, faults, mayPause } = this.#options
    if (faults.happens('process is killed')) {
      this.kill(owner)
    } else if (mayPause(owner) && faults.happens('process is paused')) {
      this.pause(owner)
    } else if (faults.happens('clock jumps')) {
      owner.clockAheadMs = this.#random.between(-CLOCK_JUMP_MS_MAX, CLOCK_JUMP_MS_MAX)
      scheduler.record(`the clock of ${owner.name} jumps to ${owner.clockAheadMs}`)
    }
  }
}
