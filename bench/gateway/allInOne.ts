import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../../platform/config/config.ts'
import { findEmbeddedPostgres } from '../../platform/postgres/embedded/embeddedPostgres.ts'
import { demoFilePath } from '../../scripts/start/demoFile.ts'
import type { BenchFolder } from '../feed/benchFolder.ts'
import { freePorts } from '../freePorts.ts'
import { startMeasured } from './benchProcess.ts'
import { chargesIn } from './chargesIn.ts'
import type { ChargingContestant } from './contestant.ts'
import { installationSettings } from './installation.ts'

const START = join(import.meta.dirname, '..', '..', 'scripts', 'start.ts')
/** As in the script of `npm start`. */
const START_FLAGS = ['--max-semi-space-size=64', '--no-parallel-scavenge']

/** `npm start`: every service in one process, projector and reactor in a separate thread. */
export async function startAllInOne(folder: BenchFolder, upstream: string): Promise<ChargingContestant> {
  const [gateway, backend, ai, sandbox, mail] = (await freePorts(5)).map(String) as [string, ...string[]]
  const settings = await installationSettings(folder, 'all-in-one', upstream)
  const url = `http://127.0.0.1:${gateway}/llm/v1/chat/completions`
  const measured = await startMeasured(folder, {
    name: 'all-in-one',
    file: START,
    env: {
      ...settings,
      GATEWAY_PORT: gateway,
      BACKEND_PORT: backend ?? '',
      AI_PORT: ai ?? '',
      SANDBOX_PORT: sandbox ?? '',
      SANDBOX_SMTP_PORT: mail ?? '',
    },
    nodeFlags: START_FLAGS,
    url,
    withTimelines: true,
    drains: true,
  })
  const { apiKey } = JSON.parse(await readFile(demoFilePath(settings.DATA_DIR), 'utf8')) as { apiKey: string }
  const charges = async () => {
    const database = await findEmbeddedPostgres(settings.DATA_DIR)
    if (!database) throw new Error('the database of npm start does not run')
    return chargesIn(readConfig(settings), database.url)
  }
  return { ...measured, name: 'npm start', call: { url, apiKey }, charges }
}
