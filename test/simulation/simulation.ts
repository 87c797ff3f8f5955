import type { PGlite } from '@electric-sql/pglite'
import { Alarms } from './alarms.ts'
import { Counters } from './counters.ts'
import type { DatabaseConnection } from './database/databaseConnection.ts'
import { type DatabaseFate, DatabaseServer } from './database/databaseServer.ts'
import { CutOffs } from './faults/cutOffs.ts'
import { FaultPlan } from './faults/faultPlan.ts'
import { MemoryNetwork } from './network/memoryNetwork.ts'
import { Processes } from './processes.ts'
import { enterRun } from './scheduler/currentRun.ts'
import { SimulatedFiles } from './scheduler/files.ts'
import { Random } from './scheduler/random.ts'
import { Scheduler } from './scheduler/scheduler.ts'
import type { SimulatedProcess } from './scheduler/simulatedProcess.ts'

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
/** How a page or a stream of events is read. */
const READ_OF_EVENTS = 'from event_store.events'
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
  readonly cutOffs: CutOffs
  readonly databaseAheadMs: number
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
    this.cutOffs = new CutOffs({
      ...{ scheduler: this.scheduler, faults: this.faults, random: this.random('cut-offs') },
      kill: (owner) => this.processes.kill(owner),
    })
    this.#pglite = pglite
    this.#server = pglite && this.#serve(pglite)
    this.processes = new Processes({
      ...{ seed, scheduler: this.scheduler, faults: this.faults },
      mayPause: (owner) => !this.#server?.isReservedBy(owner),
    })
    const time = this.random('time')
    this.databaseAheadMs = time.between(-DATABASE_AHEAD_MS_MAX, DATABASE_AHEAD_MS_MAX)
    enterRun(this.scheduler, { databaseAheadMs: this.databaseAheadMs, failures: this.failures, files: this.files })
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
    const { faults, cutOffs } = this
    const fateOf = ({ owner }: DatabaseConnection, text: string, prepared: string): DatabaseFate => {
      // One that begins a transaction must go on: all others wait for it.
      if (owner && text === '') this.processes.pauseAtStatement(owner)
      if (faults.happens('database connection dies before the statement')) return 'die before'
      if (faults.happens('database connection dies after the statement')) return 'die after'
      const mayFail = owner !== null && cutOffs.victims.has(owner.name) && prepared.includes(READ_OF_EVENTS)
      return mayFail && faults.happens('read of events fails') ? 'die before' : 'answer'
    }
    const delayMs = (owner: SimulatedProcess | null) => {
      const cutOffMs = cutOffs.leftMs(owner)
      if (cutOffMs > 0) return cutOffMs + random.fraction()
      if (faults.happens('database is silent')) {
        faults.lastsFor(SILENT_MS)
        return SILENT_MS
      }
      return random.fraction() * (faults.happens('database message is late') ? LATE_MESSAGE_MS_MAX : MESSAGE_MS_MAX)
    }
    const onAnswer = (answer: Buffer, isLost: boolean, owner: SimulatedProcess | null) => {
      this.processes.wakeHolder()
      const isStored = answer.includes(STORED_APPEND)
      if (isStored) cutOffs.stored(owner)
      if (isLost && isStored) this.counters.hit('the answer to a stored append is lost')
      const isRefused = answer.includes(REFUSED_APPEND)
      if (isRefused && REPEATED_APPEND.test(answer.toString('latin1'))) this.counters.hit('a repeated append is found')
    }
    return new DatabaseServer({ pglite, scheduler: this.scheduler, delayMs, fateOf, onAnswer })
  }
}
