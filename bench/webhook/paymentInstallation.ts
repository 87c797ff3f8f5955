import type { OpenRuntime } from '../../capabilities/installation.ts'
import { readConfig } from '../../platform/config/config.ts'
import { startBackground } from '../../scripts/start/startBackground.ts'
import { startBackend } from '../../services/backend/backend.ts'
import { prepareReadModels } from '../../services/projector/projector.ts'
import { withBenchFolder } from '../feed/benchFolder.ts'
import { openBenchRuntime } from '../feed/benchRuntime.ts'

export type PaymentInstallation = {
  readonly runtime: OpenRuntime
  readonly backendUrl: string
  /** Starts projector and reactor in their own thread. */
  startBackground(): void
}

/** As in `npm start`: the backend in this thread, projector and reactor in the background thread. */
export async function withPaymentInstallation<Result>(
  work: (installation: PaymentInstallation) => Promise<Result>,
): Promise<Result> {
  return withBenchFolder(async ({ path, closers }) => {
    const config = readConfig({ DATA_DIR: path, LOG_LEVEL: 'silent', BACKEND_PORT: '0' })
    const { runtime, databaseUrl } = await openBenchRuntime(config, closers)
    await prepareReadModels(runtime)
    const backend = await startBackend(runtime)
    closers.push(() => backend.drain(1_000))
    return work({
      runtime,
      backendUrl: backend.url ?? '',
      startBackground: () => {
        const background = startBackground(runtime, databaseUrl)
        background.startReactor()
        closers.push(() => background.drain(config.DRAIN_TIMEOUT_MS))
      },
    })
  })
}
