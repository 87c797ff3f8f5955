import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ReadModelsWhen } from '../../scripts/restore/restoreInstallation.ts'

/** The parts of a restore in seconds, as the command reports them. */
export type MeasuredRestore = {
  readonly found: number
  readonly appended: number
  /** The whole restore, including the start of the database. */
  readonly seconds: number
  readonly took: {
    readonly check: number
    readonly events: number
    readonly readModels: number
    readonly peakMemoryMiB: number
  }
}

/** Runs the command in its own process, like an operator, on the installation in the folder. */
export async function measureRestore(
  file: string,
  dataDir: string,
  readModels: ReadModelsWhen = 'now',
): Promise<MeasuredRestore> {
  const script = join(import.meta.dirname, '..', '..', 'scripts', 'restore.ts')
  const { KAFKA_BROKERS: _, DATABASE_URL: _url, EVENTSTORE_URL: _store, ...environment } = process.env
  const child = spawn(process.execPath, [script, file, '--read-models', readModels, '--json'], {
    env: { ...environment, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = new Promise<number | null>((resolve) => void child.once('close', resolve))
  const output = await text(child.stdout)
  const code = await closed
  if (code !== 0) throw new Error(`the restore ended with ${code}: ${output}`)
  return JSON.parse(output) as MeasuredRestore
}
