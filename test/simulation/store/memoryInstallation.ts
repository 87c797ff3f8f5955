import { CommandHandler } from '../../../capabilities/commands/commandHandler.ts'
import type { Runtime } from '../../../capabilities/installation.ts'
import { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { openInstallationClock } from '../../../platform/clock/installationClock.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { StoreWatch } from '../../../platform/eventStore/storeWatch.ts'
import { withUpcasting } from '../../../platform/eventStore/upcasting.ts'
import { storeFeed } from '../../../platform/feed/storeFeed.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { Metrics } from '../../../platform/metrics/metrics.ts'
import { logOf } from '../processLog.ts'
import { FILES_ROOT } from '../scheduler/files.ts'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import { configOf } from '../settings.ts'
import type { Simulation } from '../simulation.ts'
import { MemoryLots } from './memoryLots.ts'
import { RemoteCalls } from './remoteCalls.ts'
import { SimulatedSharedState } from './sharedState.ts'
import { simulatedFeed } from './simulatedFeed.ts'
import { SimulatedStore } from './simulatedStore.ts'

const SECRETS = {
  jwtSecret: 'secret-of-simulated-sessions-0001',
  internalToken: 'token-of-simulated-services-0001',
  webhookSecret: 'whsec_simulated',
}
const DATABASE_AHEAD_MS_MAX = 1_000
const PARTITIONS_MAX = 2

/** What the processes of an installation without a database share. */
export class MemoryInstallation {
  readonly store: SimulatedStore
  readonly sharedState: SimulatedSharedState
  /** The gateways share one, or have one each. */
  readonly dataDirs: readonly string[]
  readonly internalToken = SECRETS.internalToken
  readonly #simulation: Simulation
  readonly #partitions: number
  readonly #remote: RemoteCalls
  readonly #lots: MemoryLots
  /** How far the clock of the database is ahead of the true time. */
  readonly aheadMs: number

  constructor(simulation: Simulation) {
    const { scheduler, faults, counters } = simulation
    const random = simulation.random('store')
    this.#simulation = simulation
    this.aheadMs = random.between(-DATABASE_AHEAD_MS_MAX, DATABASE_AHEAD_MS_MAX)
    const idsAreUnique = random.chance(0.5)
    // The embedded feed has one partition.
    this.#partitions = idsAreUnique && random.chance(0.5) ? 0 : 1 + random.below(PARTITIONS_MAX)
    this.#remote = new RemoteCalls(scheduler, random)
    this.store = new SimulatedStore({
      ...{ scheduler, faults, counters, idsAreUnique },
      random: simulation.random('events'),
      clockMs: () => this.nowMs,
      killerOfSender: () => this.#killerOfSender(),
    })
    const clock = { ...systemClock, now: () => this.nowMs }
    this.sharedState = new SimulatedSharedState({
      scheduler,
      faults,
      random: simulation.random('shared state'),
      counters,
      clock,
      pauseCaller: () => this.#pauseCaller(),
    })
    this.#lots = new MemoryLots({
      ...{ events: this.store.log.events, random: simulation.random('lots behind'), nowMs: () => this.nowMs },
    })
    this.dataDirs = random.chance(0.5) ? [FILES_ROOT] : [`${FILES_ROOT}/1`, `${FILES_ROOT}/2`]
  }

  /** Nothing was ever projected, so that a gateway takes everything from the events. Only lots have a table. */
  #database(): Runtime['engines']['database'] {
    const query = async (text: string, values: readonly unknown[] = []) =>
      text.includes('credit_lots.lots') ? this.#lots.lapsing(String(values[0])) : []
    const database = { query, transaction: async (work: (sql: unknown) => unknown) => work({ query: async () => [] }) }
    return database as unknown as Runtime['engines']['database']
  }

  #killerOfSender(): ((inMs: number) => void) | null {
    const { scheduler, processes } = this.#simulation
    const owner = scheduler.processes.getStore()
    if (!owner || processes.get(owner.name) !== owner) return null
    const step = (inMs: number) => ({ owner: null, label: `${owner.name} is killed`, delayMs: inMs })
    return (inMs) => scheduler.processes.exit(() => void scheduler.schedule(step(inMs), () => processes.kill(owner)))
  }

  #pauseCaller(): void {
    const { scheduler, processes } = this.#simulation
    const owner = scheduler.processes.getStore()
    if (owner) processes.pause(owner)
  }

  /** The time of the database, by which all services go. */
  get nowMs(): number {
    return Math.floor(this.#simulation.scheduler.nowMs + this.aheadMs)
  }

  /** The nth gateway. Call it in the context of its process. */
  openGateway(owner: SimulatedProcess, n: number): Promise<Runtime> {
    return this.open(owner, { admitsCalls: true, dataDir: this.dataDirs[n % this.dataDirs.length] })
  }

  /** Call it in the context of the process. */
  async open(owner: SimulatedProcess, { admitsCalls = false, dataDir = FILES_ROOT } = {}): Promise<Runtime> {
    const { log } = logOf(this.#simulation, owner)
    const metrics = new Metrics()
    const clock = await openInstallationClock({
      clock: systemClock,
      read: () => this.#remote.call('time', this.#remote.usual(), () => this.nowMs),
      newestEvent: async () => null,
      log,
    })
    const store = withUpcasting(this.store)
    const appender = new PursuingAppender(store, clock)
    const watch = new StoreWatch({ store, appends: appender, clock, ids: systemIds, log })
    if (admitsCalls) watch.start()
    const engines = {
      database: this.#database(),
      store,
      storeAsWritten: this.store,
      feed: this.#partitions === 0 ? storeFeed(store) : simulatedFeed(this.store, this.#partitions),
      sharedState: this.sharedState.shared,
      appender,
      watch,
      personal: null as unknown as Runtime['engines']['personal'],
      commands: new CommandHandler(store, appender, { protect: async (event) => event }),
      ledger: new LedgerWriter(appender, watch),
      close: async () => {},
    }
    const network = this.#simulation.network.of(owner)
    return {
      config: configOf({ DATA_DIR: dataDir }),
      secrets: SECRETS,
      engines,
      clock,
      ids: systemIds,
      log,
      metrics,
      network,
      tracing: null,
    }
  }
}
