import type { Installation, Runtime } from '../../../capabilities/installation.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { EventStore } from '../../../platform/eventStore/port.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import type { RunningService } from '../../../platform/service.ts'
import type { EventStoreNode } from '../eventStores/eventStoreNode/node.ts'
import type { HeldLedger } from '../eventStores/heldLedger.ts'
import type { RedisServer } from './redisServer.ts'

/** A proxy between the gateway and the event store, if any. */
export type Through = (url: string) => string | Promise<string>

export type StoreOptions = { readonly clock: Clock; readonly log: Log; readonly appendTimeoutMs?: number }

export type EnginesChoice = {
  readonly through: Through
  /** Production engines with a fake EventStoreDB that can fail at an exact moment. */
  readonly standIn?: boolean
}

/** The engines of a harness: the same services on either kind, with separate data and ways to disturb the store. */
export type HarnessEngines = {
  readonly databaseUrl: string
  /** The gateway's database address, and the settings of the other engines. */
  readonly gatewayDatabaseUrl: string
  readonly settings: Readonly<Record<string, string>>
  /** Opens the store again with other timeouts. */
  openStore(engines: Installation, options: StoreOptions): EventStore
  /** The relay that publishes the store to the feed; null if the feed reads the store itself. */
  startRelay(runtime: Runtime): Promise<RunningService | null>
  /** The fake event store, which fails on demand; null unless the harness asked for it. */
  readonly storeNode: EventStoreNode | null
  /** Null if it is embedded. */
  readonly redis: RedisServer | null
  /** Blocks every append until it is released. */
  holdLedger(): Promise<HeldLedger>
  /** Stops the engines that were started here. The runtime's connections are closed before. */
  close(): Promise<void>
}
