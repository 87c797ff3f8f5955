import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { SeedRequest, WorkerMessage } from '../serveSeeds.ts'
import type { Outcome } from '../simulate.ts'
import type { WorldName } from '../world.ts'

const PROGRAM = join(import.meta.dirname, '..', 'worker.ts')
/** The database's memory grows with every seed, so that a worker that holds more than this is replaced. */
const RESIDENT_BYTES_MAX = 1.2 * 2 ** 30
/** A seed takes seconds, on a busy machine a minute. One that takes this long waits for something that never comes. */
const SEED_MS_MAX = 600_000
const ERRORS_CHARS_MAX = 4_000

export type WorkerOptions = {
  /** The program of the worker, which is given the name of the world. */
  readonly program?: string
  readonly seedMsMax?: number
  /** Prints every step, and what the program writes to standard error. */
  readonly isTraced?: boolean
}

/** A child process that runs seeds of one world, one at a time. */
export class Worker {
  readonly #child: ChildProcess
  readonly #seedMsMax: number
  readonly #isTraced: boolean
  readonly #exited: Promise<void>
  #errors = ''
  #residentBytes = 0
  #requiredCounters: readonly string[] = []

  private constructor(world: WorldName, options: WorkerOptions) {
    const { program = PROGRAM, seedMsMax = SEED_MS_MAX, isTraced = false } = options
    this.#seedMsMax = seedMsMax
    this.#isTraced = isTraced
    this.#child = fork(program, [world], {
      stdio: ['ignore', 'inherit', isTraced ? 'inherit' : 'pipe', 'ipc'],
      execArgv: [],
    })
    this.#exited = new Promise((resolve) => {
      this.#child.once('exit', () => resolve())
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-ERRORS_CHARS_MAX)
    })
  }

  static async open(world: WorldName, options: WorkerOptions = {}): Promise<Worker> {
    const worker = new Worker(world, options)
    const message = await worker.#answer()
    if (message?.kind !== 'ready') throw new Error(`a worker of world ${world} cannot start: ${worker.#errors}`)
    worker.#requiredCounters = message.requiredCounters
    return worker
  }

  get requiredCounters(): readonly string[] {
    return this.#requiredCounters
  }

  get isUsable(): boolean {
    return this.#child.connected && this.#residentBytes <= RESIDENT_BYTES_MAX
  }

  async run(seed: number): Promise<Outcome> {
    const isTraced = this.#isTraced
    const request: SeedRequest = { seed, isTraced }
    this.#child.send(request)
    const timer = isTraced ? undefined : setTimeout(() => this.#child.kill('SIGKILL'), this.#seedMsMax)
    const message = await this.#answer()
    clearTimeout(timer)
    if (message?.kind !== 'outcome') return lostOutcome(seed, this.#child, this.#errors)
    this.#residentBytes = message.residentBytes
    return message.outcome
  }

  async close(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect()
    await this.#exited
  }

  /** null if the process has ended instead. */
  #answer(): Promise<WorkerMessage | null> {
    return new Promise((resolve) => {
      const end = (message: WorkerMessage | null) => {
        this.#child.off('message', onMessage).off('exit', onExit)
        resolve(message)
      }
      const onMessage = (message: unknown) => end(message as WorkerMessage)
      const onExit = () => end(null)
      this.#child.on('message', onMessage).on('exit', onExit)
    })
  }
}

function lostOutcome(seed: number, { exitCode, signalCode }: ChildProcess, errors: string): Outcome {
  const how = signalCode === null ? `exit code ${exitCode}` : `${signalCode}, for example because it took too long`
  const failure = { invariant: 'the simulation runs', detail: `the worker ended: ${how}\n${errors}`, lastSteps: [] }
  return { seed, hash: '', steps: 0, simulatedMs: 0, kills: 0, faults: {}, counters: {}, failure }
}
