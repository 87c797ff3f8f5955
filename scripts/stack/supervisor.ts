import type { Clock } from '../../platform/clock/clock.ts'
import { settlesWithin } from '../../platform/clock/within.ts'
import { type Program, type ServiceProcess, startProcess } from './serviceProcess.ts'

export type SupervisorOptions = {
  readonly clock: Clock
  /** How long a process may drain before it is killed. */
  readonly drainMs: number
  /** A line printed by one of the processes. */
  onLine(name: string, line: string): void
  /** Called with a line for the operator when a process ends, restarts or is killed. */
  report(line: string): void
  /** Called after each start and end of a process. */
  onChange(running: readonly RunningProcess[]): void
}

export type RunningProcess = { readonly name: string; readonly pid: number; readonly url: string }

const RESTART_MS = { first: 250, max: 5_000 }
/** A process that ran for this long did not fail because of its start. */
const STEADY_MS = 10_000

/**
 * Starts processes tier by tier, restarts those that die, and stops them in reverse order. A process that fails at the
 * first start fails the whole start. Later it is restarted for ever, with growing delays, because an engine that is
 * down will come back.
 */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #tiers: SupervisedProgram[][] = []

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  /** Resolves when all are ready. Rejects if one ends or does not answer; the others keep running. */
  async start(tiers: readonly (readonly Program[])[], signal: AbortSignal): Promise<void> {
    const onChange = () => this.#options.onChange(this.#tiers.flat().flatMap((supervised) => supervised.running ?? []))
    for (const programs of tiers) {
      const tier = programs.map((program) => new SupervisedProgram(program, { ...this.#options, changed: onChange }))
      this.#tiers.push(tier)
      await Promise.all(tier.map((supervised) => supervised.begin(signal)))
    }
  }

  async stop(): Promise<void> {
    for (const tier of this.#tiers.toReversed()) await Promise.all(tier.map((supervised) => supervised.end()))
  }

  /** Sends a signal to the running programs that handle it. */
  forwardSignal(signal: NodeJS.Signals, handlesIt: (name: string) => boolean): void {
    for (const program of this.#tiers.flat()) if (handlesIt(program.name)) program.forwardSignal(signal)
  }

  /** Kills all processes without a drain. */
  kill(): void {
    for (const supervised of this.#tiers.flat()) supervised.kill()
  }
}

/** A program that is restarted whenever it ends. */
class SupervisedProgram {
  readonly #program: Program
  readonly #options: SupervisorOptions & { changed(): void }
  readonly #stopping = new AbortController()
  #process: ServiceProcess | null = null
  #supervising: Promise<void> = Promise.resolve()

  constructor(program: Program, options: SupervisorOptions & { changed(): void }) {
    this.#program = program
    this.#options = options
  }

  get name(): string {
    return this.#program.name
  }

  forwardSignal(signal: NodeJS.Signals): void {
    this.#process?.signal(signal)
  }

  get running(): RunningProcess | null {
    const { name, url } = this.#program
    return this.#process && { name, pid: this.#process.pid, url }
  }

  async begin(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const process = this.#start()
    if (!(await process.isReady(signal))) {
      signal.throwIfAborted()
      process.signal('SIGKILL')
      throw new Error(`${this.#program.name} did not start: ${await process.ended}`)
    }
    this.#supervising = this.#supervise(process)
  }

  async end(): Promise<void> {
    const { clock, drainMs, report } = this.#options
    this.#stopping.abort()
    const process = this.#process
    if (process) {
      process.signal('SIGTERM')
      if (!(await settlesWithin(process.ended, drainMs, clock))) {
        report(`${this.#program.name} has not drained within ${drainMs / 1000} s and is killed`)
        process.signal('SIGKILL')
      }
      await process.ended
    }
    await this.#supervising
  }

  kill(): void {
    this.#stopping.abort()
    this.#process?.signal('SIGKILL')
  }

  async #supervise(first: ServiceProcess): Promise<void> {
    const { clock, report } = this.#options
    const { name } = this.#program
    const { signal } = this.#stopping
    let process = first
    let startedAt = clock.monotonicMs()
    let deaths = 0
    for (;;) {
      const how = await process.ended
      if (signal.aborted) return
      deaths = clock.monotonicMs() - startedAt > STEADY_MS ? 1 : deaths + 1
      const delayMs = Math.min(RESTART_MS.first * 2 ** Math.min(deaths - 1, 10), RESTART_MS.max)
      report(`${name} has ended (${how}) and starts again in ${delayMs / 1000} s`)
      await clock.delay(delayMs, signal)
      if (signal.aborted) return
      process = this.#start()
      startedAt = clock.monotonicMs()
      if (await process.isReady(signal)) report(`${name} is back`)
      else if (!signal.aborted) process.signal('SIGKILL')
    }
  }

  #start(): ServiceProcess {
    const { onLine, changed } = this.#options
    const process = startProcess(this.#program, (line) => onLine(this.#program.name, line))
    this.#process = process
    changed()
    process.ended.then(() => {
      if (this.#process === process) this.#process = null
      changed()
    })
    return process
  }
}
