import { systemClock } from '../../platform/clock/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { EmbeddedPostgresOptions } from '../../platform/postgres/embedded/embeddedPostgres.ts'
import { sendSignal } from '../../platform/postgres/embedded/sendSignal.ts'
import { startSupervisedPostgres } from '../../platform/postgres/embedded/supervisedPostgres.ts'

export type ConfiguredDatabase = {
  readonly url: string
  /** Also sends reports about the embedded database to the log, once that is open. */
  logTo(write: (line: string) => void): void
}

/** Returns the configured database, or starts the embedded one and registers how to stop it. */
export async function openConfiguredDatabase(
  config: Config,
  signal: AbortSignal,
  closers: (() => Promise<void>)[],
  { onSpawn, connectionsMin }: Pick<EmbeddedPostgresOptions, 'onSpawn' | 'connectionsMin'> = {},
): Promise<ConfiguredDatabase> {
  if (config.DATABASE_URL !== undefined) return { url: config.DATABASE_URL, logTo: () => {} }
  let writeToLog = (_line: string) => {}
  const postgres = await startSupervisedPostgres({
    dataDir: config.DATA_DIR,
    signal,
    ...(onSpawn && { onSpawn }),
    ...(connectionsMin !== undefined && { connectionsMin }),
    clock: systemClock,
    report: (line) => {
      process.stderr.write(`tollgate: ${line}\n`)
      writeToLog(line)
    },
  })
  // An exit without a drain (a second Ctrl-C, an error of ours) must not leave the database running.
  const stopServer = () => sendSignal(postgres.pid, 'SIGINT')
  process.once('exit', stopServer)
  closers.push(async () => {
    await postgres.stop()
    process.off('exit', stopServer)
  })
  return {
    url: postgres.url,
    logTo: (write) => {
      writeToLog = write
    },
  }
}
