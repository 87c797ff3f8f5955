import type { PGlite } from '@electric-sql/pglite'
import { Alarms } from './alarms.ts'
import { Counters } from './counters.ts'
import { type DatabaseFate, DatabaseServer } from './database/databaseServer.ts'
import { FaultPlan } from './faults/faultPlan.ts'
import { MemoryNetwork } from './network/memoryNetwork.ts'
import { Processes } from './processes.ts'
import { enterRun } from './scheduler/currentRun.ts'
import { SimulatedFiles } from './scheduler/files.ts'
import { Random } from './scheduler/random.ts'
import { Scheduler } from './scheduler/scheduler.ts'

const START_MS = Date.UTC(2026, 2, 10, 10)
const DATABASE_AHEAD_MS_MAX = 1_000
const MESSAGE_MS_MAX = 1
const LATE_MESSAGE_MS_MAX = 2_000
/** Longer than every limit of the product for an answer of the database. */
const SILENT_MS = 45_000
/** How the store answers an append. */
const STORED_APPEND = '"recorded_at" :'
/** How it answers one whose events it has: the first answer was lost, or another process was faster. */
const REFUSED_APPEND = '"accepted" : false'
const REPEATED_APPEND = /"accepted" : false[^}]*"stored" : [1-9]/

export type SimulationOptions = {
  readonly seed: number
  /** null in a world without a database. */
  readonly pglite: PGlite | null
  /** Called with every step, as it happens. */
  readonly onStep?: ((line: string) => void) | undefined
  /** When the run begins. Default: the middle of a month. */
  readonly startMs?: number
}

/** What the parts of one run share: its time, its randomness, its faults and its processes. */
export class Simulation {
  readonly seed: number
  readonly scheduler: Scheduler
  readonly faults: FaultPlan
  readonly counters = new Counters()
  readonly alarms: Alarms
  readonly network: MemoryNetwork
  readonly processes: Processes
  readonly files: SimulatedFiles
  /** What went wrong outside of checkers, such as an error that nobody caught. */
  readonly failures: string[] = []
  readonly #pglite: PGlite | null
  readonly #server: DatabaseServer | null

  constructor({ seed, pglite, onStep, startMs = START_MS }: SimulationOptions) {
    this.seed = seed
    this.scheduler = new Scheduler(seed, startMs)
    if (onStep) this.scheduler.onStep = onStep
    this.faults = new FaultPlan(seed, () => this.scheduler.elapsedMs)
    this.alarms = new Alarms(this.faults)
    this.network = new MemoryNetwork(seed, this.scheduler, this.faults)
    this.files = new SimulatedFiles({
      ...{ scheduler: this.scheduler, faults: this.faults, random: this.random('files') },
      kill: (owner) => this.processes.kill(owner),
    })
    this.#pglite = pglite
    this.#server = pglite && this.#serve(pglite)
    this.processes = new Processes({
      ...{ seed, scheduler: this.scheduler, faults: this.faults },
      mayPause: (owner) => !this.#server?.isReservedBy(owner),
    })
    const time = this.random('time')
    const databaseAheadMs = time.between(-DATABASE_AHEAD_MS_MAX, DATABASE_AHEAD_MS_MAX)
    enterRun(this.scheduler, { databaseAheadMs, failures: this.failures, files: this.files })
  }

  /** A source of randomness for one part. */
  random(name: string): Random {
    return Random.named(this.seed, name)
  }

  get server(): DatabaseServer {
    if (!this.#server) throw new Error('this world has no database')
    return this.#server
  }

  get pglite(): PGlite {
    if (!this.#pglite) throw new Error('this world has no database')
    return this.#pglite
  }

  get hasDatabase(): boolean {
    return this.#pglite !== null
  }

  #serve(pglite: PGlite): DatabaseServer {
    const random = this.random('database')
    const { faults } = this
    const fateOf = (): DatabaseFate => {
      if (faults.happens('database connection dies before the statement')) return 'die before'
      return faults.happens('database connection dies after the statement') ? 'die after' : 'answer'
    }
    const delayMs = () => {
      if (faults.happens('database is silent')) return SILENT_MS
      return random.fraction() * (faults.happens('database message is late') ? LATE_MESSAGE_MS_MAX : MESSAGE_MS_MAX)
    }
    const onAnswer = (answer: Buffer, isLost: boolean) => {
      if (isLost && answer.includes(STORED_APPEND)) this.counters.hit('the answer to a stored append is lost')
      const isRefused = answer.includes(REFUSED_APPEND)
      if (isRefused && REPEATED_APPEND.test(answer.toString('latin1'))) this.counters.hit('a repeated append is found')
    }
    return new DatabaseServer({ pglite, scheduler: this.scheduler, delayMs, fateOf, onAnswer })
  }
}
