import type { Installation, Runtime } from '../../../capabilities/installation.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { EventStore } from '../../../platform/eventStore/port.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import type { RunningService } from '../../../platform/service.ts'
import type { EventStoreNode } from '../eventStores/eventStoreNode/node.ts'
import type { HeldLedger } from '../eventStores/heldLedger.ts'
import type { RedisServer } from './redisServer.ts'

/** The way to the event store that the gateway takes, where it is not the straight one. */
export type Through = (url: string) => string | Promise<string>

export type StoreOptions = { readonly clock: Clock; readonly log: Log; readonly appendTimeoutMs?: number }

export type EnginesChoice = {
  readonly through: Through
  /** Production engines with a stand-in of EventStoreDB, for faults at one exact moment. */
  readonly standIn?: boolean
}

/** What a harness runs on: the same services either way, data of its own, and ways to disturb the store. */
export type HarnessEngines = {
  readonly databaseUrl: string
  /** As the gateway reaches the database, and the settings that name the other engines. */
  readonly gatewayDatabaseUrl: string
  readonly settings: Readonly<Record<string, string>>
  /** The store once more, for who gives it another patience. */
  openStore(engines: Installation, options: StoreOptions): EventStore
  /** What publishes the store to the feed; null where the feed reads the store itself. */
  startRelay(runtime: Runtime): Promise<RunningService | null>
  /** The stand-in of the event store, which does wrong on demand; null unless the harness asked for it. */
  readonly storeNode: EventStoreNode | null
  /** Null where it is embedded. */
  readonly redis: RedisServer | null
  /** Blocks every append until it is released. */
  holdLedger(): Promise<HeldLedger>
  /** Those that were started here; the runtime's connections are closed before. */
  close(): Promise<void>
}
