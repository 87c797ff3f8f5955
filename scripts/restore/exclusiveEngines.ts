import { systemClock } from '../../services/platform/clock/clock.ts'
import { readConfig } from '../../services/platform/config/config.ts'
import { type Engines, openEngines } from '../../services/platform/engines.ts'
import { systemIds } from '../../services/platform/ids/ids.ts'
import { openLog } from '../../services/platform/log/log.ts'
import { openDatabase } from '../../services/platform/postgres/database.ts'
import { startEmbeddedPostgres } from '../../services/platform/postgres/embedded/embeddedPostgres.ts'

/** The server may take a moment to see that a command that was killed is gone. */
const GONE_MS_MAX = 3_000
const LOOK_EVERY_MS = 100

/**
 * The engines that the settings name, with nobody else on them. A DATA_DIR without an installation gets one: a restore
 * may be the first thing that happens there.
 */
export async function withExclusiveEngines<Result>(
  work: (engines: Engines) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const config = readConfig(process.env)
  const { log } = openLog({ level: 'silent', file: null })
  const closers: (() => Promise<void>)[] = []
  try {
    let url = config.DATABASE_URL
    if (url === undefined) {
      // It takes the database for this process, and refuses when it belongs to one that runs.
      const postgres = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, signal })
      closers.push(() => postgres.stop())
      url = postgres.url
    } else await requireNoOtherSessions(url)
    const engines = await openEngines(config, url, { clock: systemClock, ids: systemIds, log })
    closers.push(() => engines.close())
    return await work(engines)
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

/** Every process of Tollgate has sessions on the database, whatever its event store is. */
async function requireNoOtherSessions(url: string): Promise<void> {
  const database = openDatabase({ url, connectionsMax: 1 })
  try {
    const until = systemClock.now() + GONE_MS_MAX
    for (;;) {
      const sessions = await database.query(
        `select 1 from pg_stat_activity
         where datname = current_database() and application_name like 'tollgate%' and pid <> pg_backend_pid()`,
      )
      if (sessions.length === 0) return
      if (systemClock.now() > until) {
        throw new Error(
          `Tollgate is at work on this database (${sessions.length} sessions): stop all its services and commands first`,
        )
      }
      await systemClock.delay(LOOK_EVERY_MS)
    }
  } finally {
    await database.close()
  }
}
