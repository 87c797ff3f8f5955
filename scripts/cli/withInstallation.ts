import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Installation } from '../../capabilities/installation.ts'
import { openInstallation } from '../../capabilities/installation.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { SettingError } from '../../platform/config/settingError.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { openLog } from '../../platform/logger/logger.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../../platform/postgres/embedded/embeddedPostgres.ts'
import type { Projection } from '../../projections/projection.ts'
import { noteBehind } from './noteBehind.ts'
import { requireBuilt } from './requireBuilt.ts'

export type InstallationOptions = {
  /** Creates the embedded database if there is none yet. */
  readonly creates?: boolean
  /** The read models that the work uses. Standard error says if they are not built yet or far behind. */
  readonly reads?: readonly Projection[]
  /** Fails if any read model has to be rebuilt: the installation then shows rows that no event reaches. */
  readonly requiresBuilt?: boolean
}

/**
 * Opens the engines of the configured installation: those with an address, the embedded database of a running `npm
 * start`, or otherwise the embedded database, started for this work only.
 */
export async function withInstallation<Result>(
  work: (engines: Installation) => Promise<Result>,
  { creates = false, reads = [], requiresBuilt = false }: InstallationOptions = {},
): Promise<Result> {
  const config = readConfig(process.env)
  const { log } = openLog({ level: 'silent', file: null })
  const closers: (() => Promise<void>)[] = []
  try {
    let url = config.DATABASE_URL ?? (await findEmbeddedPostgres(config.DATA_DIR))?.url
    if (url === undefined) {
      if (!creates) await requireInstallation(config.DATA_DIR)
      const postgres = await startEmbeddedPostgres({ dataDir: config.DATA_DIR })
      closers.push(() => postgres.stop())
      url = postgres.url
    }
    const engines = await openInstallation(config, url, { clock: systemClock, ids: systemIds, log })
    closers.push(() => engines.close())
    if (requiresBuilt) await requireBuilt(engines, config)
    if (reads.length > 0) process.stderr.write(await noteBehind(engines, reads))
    return await work(engines)
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

/** A mistyped DATA_DIR must not create a new, empty installation. */
async function requireInstallation(dataDir: string): Promise<void> {
  await access(join(dataDir, 'postgres-password')).catch(() => {
    throw new SettingError(`DATA_DIR: there is no installation in ${dataDir}; "npm start" creates one`)
  })
}
