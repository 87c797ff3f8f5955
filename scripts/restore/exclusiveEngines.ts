import type { Installation } from '../../capabilities/installation.ts'
import { openInstallation } from '../../capabilities/installation.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { openLog } from '../../platform/logger/logger.ts'
import { openDatabase } from '../../platform/postgres/database.ts'
import { startEmbeddedPostgres } from '../../platform/postgres/embedded/embeddedPostgres.ts'

/** The server may need a moment to notice that a killed command is gone. */
const SESSIONS_END_MS_MAX = 3_000
const POLL_MS = 100

/**
 * Opens the configured engines if no other process uses them. A DATA_DIR without an installation gets one, because a
 * restore may be the first command there.
 */
export async function withExclusiveEngines<Result>(
  work: (engines: Installation) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const config = readConfig(process.env)
  const { log } = openLog({ level: 'silent', file: null })
  const closers: (() => Promise<void>)[] = []
  try {
    let url = config.DATABASE_URL
    if (url === undefined) {
      // This claims the database for this process and fails if a running process owns it.
      const postgres = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, signal })
      closers.push(() => postgres.stop())
      url = postgres.url
    } else await requireNoOtherSessions(url)
    const engines = await openInstallation(config, url, { clock: systemClock, ids: systemIds, log }, { restores: true })
    closers.push(() => engines.close())
    return await work(engines)
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

/** Every Tollgate process has sessions on the database, whichever event store it uses. */
async function requireNoOtherSessions(url: string): Promise<void> {
  const database = openDatabase({ url, connectionsMax: 1 })
  try {
    const until = systemClock.now() + SESSIONS_END_MS_MAX
    for (;;) {
      const sessions = await database.query(
        `select 1 from pg_stat_activity
         where datname = current_database() and application_name like 'tollgate%' and pid <> pg_backend_pid()`,
      )
      if (sessions.length === 0) return
      if (systemClock.now() > until) {
        throw new Error(
          `other Tollgate processes use this database (${sessions.length} sessions): stop all services and commands first`,
        )
      }
      await systemClock.delay(POLL_MS)
    }
  } finally {
    await database.close()
  }
}
