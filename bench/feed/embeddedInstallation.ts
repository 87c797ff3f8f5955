import { readConfig } from '../../platform/config/config.ts'
import { startBackground } from '../../scripts/start/startBackground.ts'
import { withBenchFolder } from './benchFolder.ts'
import { openBenchRuntime } from './benchRuntime.ts'
import type { FeedInstallation, Running } from './feedInstallation.ts'

/** As in `npm start`: this thread appends, and the background thread projects directly from the store. */
export async function withEmbeddedInstallation<Result>(
  work: (installation: FeedInstallation) => Promise<Result>,
): Promise<Result> {
  return withBenchFolder(async ({ path, closers }) => {
    const config = readConfig({ DATA_DIR: path, LOG_LEVEL: 'silent' })
    const { runtime, databaseUrl } = await openBenchRuntime(config, closers)
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
