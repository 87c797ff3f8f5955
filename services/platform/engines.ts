import type { Feed } from '../../projections/runner/ports.ts'
import type { Clock } from './clock/clock.ts'
import { CommandHandler } from './commands/commandHandler.ts'
import type { Config } from './config/config.ts'
import { SettingError } from './config/settingError.ts'
import type { EventStore } from './eventStore/port.ts'
import { PostgresEventStore } from './eventStore/postgres/postgresEventStore.ts'
import { PursuingAppender } from './eventStore/pursuit.ts'
import { withUpcasting } from './eventStore/upcasting.ts'
import { storeFeed } from './feed/storeFeed.ts'
import { LedgerWriter } from './ledger/ledgerWriter.ts'
import type { Log } from './log/log.ts'
import { openDatabase, type PostgresDatabase } from './postgres/database.ts'
import { migrate } from './postgres/migrate.ts'
import { memoryRateLimits } from './sharedState/memoryRateLimits.ts'
import type { RateLimits } from './sharedState/port.ts'

/** The engines behind their ports, and what is built on them alone. */
export type Engines = {
  readonly database: PostgresDatabase
  readonly store: EventStore
  readonly feed: Feed
  readonly rateLimits: RateLimits
  readonly commands: CommandHandler
  readonly ledger: LedgerWriter
  close(): Promise<void>
}

const NOT_YET = ['EVENTSTORE_URL', 'KAFKA_BROKERS', 'REDIS_URL'] as const

/** Adapters that later work brings. Until then an address that would be ignored stops the start. */
export function requireAdapters(config: Config): void {
  for (const name of NOT_YET) {
    if (config[name] !== undefined) throw new SettingError(`${name} is set, but this version has no adapter for it yet`)
  }
}

export async function openEngines(config: Config, databaseUrl: string, clock: Clock, log: Log): Promise<Engines> {
  requireAdapters(config)
  const database = openDatabase({
    url: databaseUrl,
    connectionsMax: 20,
    onIdleError: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
  const applied = await migrate(database).catch((error: Error) => {
    throw new SettingError(
      `DATABASE_URL: the database cannot be used: ${error.message || (error as NodeJS.ErrnoException).code}`,
    )
  })
  if (applied.length > 0) log.info({ applied }, 'migrations applied')
  const store = withUpcasting(new PostgresEventStore(database))
  const appender = new PursuingAppender(store, clock)
  return {
    database,
    store,
    feed: storeFeed(store),
    rateLimits: memoryRateLimits(clock),
    commands: new CommandHandler(store, appender),
    ledger: new LedgerWriter(appender),
    close: async () => {
      await store.close()
      await database.close()
    },
  }
}
