import type { Config } from '../../platform/config/config.ts'
import { checkSettings } from './checkSettings.ts'
import { openConfiguredDatabase } from './openDatabase.ts'
import { type RunningInstallation, startInSteps } from './runInstallation.ts'
import { loadBackground } from './startBackground.ts'

/**
 * Starts every service in one process. Creating the database and loading the code take about equally long, so they
 * overlap: this file imports only what the database needs, and the rest once initdb is running.
 */
export async function startAll(config: Config, signal: AbortSignal): Promise<RunningInstallation | null> {
  const providers = checkSettings(config)
  return startInSteps(signal, async (closers) => {
    const spawned = Promise.withResolvers<void>()
    const database = openConfiguredDatabase(config, signal, closers, { onSpawn: spawned.resolve })
    // A failure is reported where the address is awaited. Until then it must not count as an unhandled rejection.
    database.catch(() => {})
    const thread = loadBackground(config)
    closers.push(async () => void (await thread.terminate()))
    // Loading code leaves the event loop few turns, and getting to initdb takes several.
    await Promise.race([spawned.promise, database])
    const { startOnDatabase } = await import('./startOnDatabase.ts')
    return startOnDatabase({ config, providers, database, thread, signal, closers })
  })
}
