import type { Clock } from '../../services/platform/clock/clock.ts'
import { type Program, type ServiceProcess, startProcess } from './serviceProcess.ts'

export type SupervisorParts = {
  readonly clock: Clock
  /** How long a process has for its drain before it is killed. */
  readonly drainMs: number
  /** A line that one of the processes has printed. */
  onLine(name: string, line: string): void
  /** One line for each event that a person should know of. */
  tell(line: string): void
  /** After each start and end. */
  onChange(running: readonly RunningProcess[]): void
}

export type RunningProcess = { readonly name: string; readonly pid: number; readonly url: string }

const RESTART_MS = { first: 250, max: 5_000 }
/** One that ran for this long did not die of its start. */
const STEADY_MS = 10_000

/**
 * Starts processes tier by tier, starts again what dies, ends them in the reverse order. What cannot start at first ends
 * the start; after that nothing is given up, because an engine that is away comes back, only ever more slowly retried.
 */
export class Supervisor {
  readonly #parts: SupervisorParts
  readonly #tiers: Kept[][] = []

  constructor(parts: SupervisorParts) {
    this.#parts = parts
  }

  /** Resolves when all answer; rejects when one ends or stays silent, with the others still running. */
  async start(tiers: readonly (readonly Program[])[], signal: AbortSignal): Promise<void> {
    const onChange = () => this.#parts.onChange(this.#tiers.flat().flatMap((kept) => kept.running ?? []))
    for (const programs of tiers) {
      const tier = programs.map((program) => new Kept(program, { ...this.#parts, changed: onChange }))
      this.#tiers.push(tier)
      await Promise.all(tier.map((kept) => kept.begin(signal)))
    }
  }

  async stop(): Promise<void> {
    for (const tier of this.#tiers.toReversed()) await Promise.all(tier.map((kept) => kept.end()))
  }

  /** Passes a signal on to those of the running programs that know what it means. */
  passOn(signal: NodeJS.Signals, isMeant: (name: string) => boolean): void {
    for (const kept of this.#tiers.flat()) if (isMeant(kept.name)) kept.passOn(signal)
  }

  /** For an end without a drain. */
  kill(): void {
    for (const kept of this.#tiers.flat()) kept.kill()
  }
}

/** One program that is kept running. */
class Kept {
  readonly #program: Program
  readonly #parts: SupervisorParts & { changed(): void }
  readonly #stopping = new AbortController()
  #process: ServiceProcess | null = null
  #keeping: Promise<void> = Promise.resolve()

  constructor(program: Program, parts: SupervisorParts & { changed(): void }) {
    this.#program = program
    this.#parts = parts
  }

  get name(): string {
    return this.#program.name
  }

  passOn(signal: NodeJS.Signals): void {
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
    this.#keeping = this.#keep(process)
  }

  async end(): Promise<void> {
    const { clock, drainMs, tell } = this.#parts
    this.#stopping.abort()
    const process = this.#process
    if (process) {
      const inTime = new AbortController()
      process.signal('SIGTERM')
      const isLate = await Promise.race([
        process.ended.then(() => false),
        clock.delay(drainMs, inTime.signal).then(() => true),
      ])
      inTime.abort()
      if (isLate) {
        tell(`${this.#program.name} has not drained within ${drainMs / 1000} s and is killed`)
        process.signal('SIGKILL')
      }
      await process.ended
    }
    await this.#keeping
  }

  kill(): void {
    this.#stopping.abort()
    this.#process?.signal('SIGKILL')
  }

  async #keep(first: ServiceProcess): Promise<void> {
    const { clock, tell } = this.#parts
    const { name } = this.#program
    const { signal } = this.#stopping
    let process = first
    let startedAt = performance.now()
    let deaths = 0
    for (;;) {
      const how = await process.ended
      if (signal.aborted) return
      deaths = performance.now() - startedAt > STEADY_MS ? 1 : deaths + 1
      const delayMs = Math.min(RESTART_MS.first * 2 ** Math.min(deaths - 1, 10), RESTART_MS.max)
      tell(`${name} has ended (${how}) and starts again in ${delayMs / 1000} s`)
      await clock.delay(delayMs, signal)
      if (signal.aborted) return
      process = this.#start()
      startedAt = performance.now()
      if (await process.isReady(signal)) tell(`${name} is back`)
      else if (!signal.aborted) process.signal('SIGKILL')
    }
  }

  #start(): ServiceProcess {
    const { onLine, changed } = this.#parts
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
