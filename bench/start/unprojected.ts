import { join } from 'node:path'
import { openRuntime } from '../../capabilities/installation.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { startEmbeddedPostgres } from '../../platform/postgres/embedded/embeddedPostgres.ts'
import { prepareInstallation } from '../../scripts/start/prepareInstallation.ts'
import { aCharge } from '../benchDatabase.ts'
import { appendCalls } from '../longLedger.ts'

const DAYS = 90
const DAY_MS = 86_400_000
const PAGE_EVENTS = 5_000
const SELECT = `select position, stream, revision, event_id, type, data, metadata, recorded_at from event_store.events
  where position > $1 order by position limit ${PAGE_EVENTS}`

/**
 * Creates an installation in the folder whose demo company has made this many calls within ninety days, none of which
 * is in a read model. Returns how many milliseconds a bare read of all events takes.
 */
export async function makeUnprojected(dataDir: string, calls: number): Promise<number> {
  const postgres = await startEmbeddedPostgres({ dataDir })
  try {
    const config = readConfig({ DATA_DIR: dataDir, SANDBOX: '1', DEMO_CREDITS: '1000000' })
    const logFile = join(dataDir, 'bench.log')
    const runtime = await openRuntime({ config, database: postgres.url, log: logFile, name: 'bench' })
    try {
      const demo = await prepareInstallation(runtime)
      if (!demo) throw new Error('the installation of the benchmark has no demo')
      const { companyId, keyId } = demo
      const { database, store } = runtime.engines
      const beginMs = systemClock.now() - DAYS * DAY_MS
      await appendCalls(store, companyId, calls, (n) => {
        const at = new Date(beginMs + Math.floor((n / calls) * DAYS * DAY_MS)).toISOString()
        return aCharge(companyId, keyId, n, { at, label: null })
      })
      await database.query('vacuum analyze event_store.events')
      const beganMs = systemClock.monotonicMs()
      let read = 0
      for (let after = 0; ; ) {
        const rows = await database.query<{ position: string }>(SELECT, [after])
        read += rows.length
        if (rows.length === 0) break
        after = Number(rows.at(-1)?.position)
      }
      if (read < calls) throw new Error(`read ${read} events of ${calls}`)
      return systemClock.monotonicMs() - beganMs
    } finally {
      await runtime.close()
    }
  } finally {
    await postgres.stop()
  }
}
