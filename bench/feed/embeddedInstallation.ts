import { openRuntime } from '../../capabilities/installation.ts'
import { readConfig } from '../../platform/config/config.ts'
import { openConfiguredDatabase } from '../../scripts/start/openDatabase.ts'
import { startBackground } from '../../scripts/start/startBackground.ts'
import { withBenchFolder } from './benchFolder.ts'
import type { FeedInstallation, Running } from './feedInstallation.ts'

/** As in `npm start`: this thread appends, and the background thread projects directly from the store. */
export async function withEmbeddedInstallation<Result>(
  work: (installation: FeedInstallation) => Promise<Result>,
): Promise<Result> {
  return withBenchFolder(async ({ path, closers }) => {
    const config = readConfig({ DATA_DIR: path, LOG_LEVEL: 'silent' })
    const { url: databaseUrl } = await openConfiguredDatabase(config, new AbortController().signal, closers)
    const runtime = await openRuntime({
      config,
      database: databaseUrl,
      log: null,
      name: 'bench',
      sharedByThreads: true,
    })
    closers.push(runtime.close)
    return work({
      engines: runtime.engines,
      startProjector: async (): Promise<Running> => {
        const background = startBackground(runtime, databaseUrl)
        const stop = () => background.drain(config.DRAIN_TIMEOUT_MS)
        closers.push(stop)
        return { stop }
      },
    })
  })
}
