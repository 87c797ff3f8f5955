import type { Config } from '../../services/platform/config/config.ts'
import { startEmbeddedPostgres } from '../../services/platform/postgres/embedded/embeddedPostgres.ts'
import { sendSignal } from '../../services/platform/postgres/embedded/sendSignal.ts'

/** Returns the address of the configured database, or starts the embedded one and adds how it is stopped. */
export async function openConfiguredDatabase(
  config: Config,
  signal: AbortSignal,
  closers: (() => Promise<void>)[],
  onSpawn?: () => void,
): Promise<string> {
  if (config.DATABASE_URL !== undefined) return config.DATABASE_URL
  const postgres = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, signal, ...(onSpawn && { onSpawn }) })
  // An exit without a drain (a second Ctrl-C, an error of ours) must not leave the database running.
  const stopServer = () => sendSignal(postgres.pid, 'SIGINT')
  process.once('exit', stopServer)
  closers.push(async () => {
    await postgres.stop()
    process.off('exit', stopServer)
  })
  return postgres.url
}
