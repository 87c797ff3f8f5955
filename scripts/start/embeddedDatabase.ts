import type { Config } from '../../services/platform/config/config.ts'
import { startEmbeddedPostgres } from '../../services/platform/postgres/embedded/embeddedPostgres.ts'
import { sendSignal } from '../../services/platform/postgres/embedded/sendSignal.ts'

/** The address of the configured database, or of the embedded one, which is started and gets its closer. */
export async function openedDatabase(
  config: Config,
  signal: AbortSignal,
  closers: (() => Promise<void>)[],
): Promise<string> {
  if (config.DATABASE_URL !== undefined) return config.DATABASE_URL
  const postgres = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, signal })
  // An end that does not wait for the drain (a second Ctrl-C, a fault of ours) must not leave the database behind.
  const endToo = () => sendSignal(postgres.pid, 'SIGINT')
  process.once('exit', endToo)
  closers.push(async () => {
    await postgres.stop()
    process.off('exit', endToo)
  })
  return postgres.url
}
