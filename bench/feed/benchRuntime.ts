import { type OpenRuntime, openRuntime } from '../../capabilities/installation.ts'
import type { Config } from '../../platform/config/config.ts'
import { openConfiguredDatabase } from '../../scripts/start/openDatabase.ts'
import type { BenchFolder } from './benchFolder.ts'

/** Opens the configured engines as `npm start` does, without its log. They are closed with the folder. */
export async function openBenchRuntime(
  config: Config,
  closers: BenchFolder['closers'],
): Promise<{ readonly runtime: OpenRuntime; readonly databaseUrl: string }> {
  const { url: databaseUrl } = await openConfiguredDatabase(config, new AbortController().signal, closers)
  const runtime = await openRuntime({ config, database: databaseUrl, log: null, name: 'bench', sharedByThreads: true })
  closers.push(runtime.close)
  return { runtime, databaseUrl }
}
