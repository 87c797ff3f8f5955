import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRuntime } from '../../capabilities/installation.ts'
import { type Config, readConfig } from '../../platform/config/config.ts'
import { NODE_FLAGS } from '../../scripts/stack/serviceProcess.ts'
import type { DemoIdentity } from '../../scripts/start/demoFile.ts'
import { openConfiguredDatabase } from '../../scripts/start/openDatabase.ts'
import { prepareInstallation } from '../../scripts/start/prepareInstallation.ts'
import type { BenchFolder } from '../feed/benchFolder.ts'
import { freePorts } from '../freePorts.ts'
import { type Measured, startMeasured } from './benchProcess.ts'

const SERVICES = join(import.meta.dirname, '..', '..', 'services')

/** Engines that the person running the benchmark may have configured. */
const NO_OTHER_ENGINES = { EVENTSTORE_URL: '', KAFKA_BROKERS: '', REDIS_URL: '' }

/** An installation with a demo key without limits, and a projector as a separate process. */
export type Installation = {
  readonly config: Config
  readonly databaseUrl: string
  readonly demo: Pick<DemoIdentity, 'apiKey' | 'companyId' | 'keyId'>
  readonly projector: Measured
  start(service: string, port: number, withTimelines?: boolean): Promise<Measured>
}

/** `label` names its folder; `engines` are additional settings. */
export async function startInstallation(
  folder: BenchFolder,
  label: string,
  upstream: string,
  engines: Readonly<Record<string, string>> = {},
): Promise<Installation> {
  const [projectorPort] = await freePorts(1)
  const settings = {
    ...(await installationSettings(folder, label, upstream)),
    PROJECTOR_PORT: String(projectorPort),
    ...engines,
  }
  const config = readConfig(settings)
  const { url: databaseUrl } = await openConfiguredDatabase(config, new AbortController().signal, folder.closers)
  const demo = await seededDemo(folder, config, databaseUrl)
  const env = { ...NO_OTHER_ENGINES, ...settings, DATABASE_URL: databaseUrl }
  const start = (service: string, port: number, withTimelines = false) =>
    startMeasured(folder, {
      name: `${service}-${label}`,
      file: join(SERVICES, service, 'main.ts'),
      env,
      nodeFlags: NODE_FLAGS,
      url: `http://127.0.0.1:${port}/metrics`,
      withTimelines,
    })
  return { config, databaseUrl, demo, projector: await start('projector', projectorPort ?? 0), start }
}

/** The settings of an installation in the folder whose only provider is the upstream. */
export async function installationSettings(folder: BenchFolder, label: string, upstream: string) {
  return {
    DATA_DIR: join(folder.path, `data-${label}`),
    HOST: '127.0.0.1',
    SANDBOX: '1',
    PROVIDERS_FILE: await providersFile(folder, upstream),
    LOG_LEVEL: 'info',
    IP_RPM: '0',
    DEMO_KEY_RPM: '1000000000',
    DEMO_KEY_TPM: '100000000000',
    DEMO_CREDITS: '1000000000',
  }
}

async function providersFile({ path }: BenchFolder, upstream: string): Promise<string> {
  const file = join(path, 'providers.json')
  const wires = ['chat', 'responses', 'messages']
  const provider = { name: 'bench', baseUrl: `${upstream}/v1`, model: 'bench-model', wires }
  await writeFile(file, JSON.stringify({ aliases: { 'svc/chat-default': { providers: [provider] } } }))
  return file
}

async function seededDemo({ path }: BenchFolder, config: Config, databaseUrl: string): Promise<Installation['demo']> {
  const logFile = join(path, 'seed.log')
  const runtime = await openRuntime({ config, database: databaseUrl, log: logFile, name: 'bench' })
  try {
    const demo = await prepareInstallation(runtime)
    if (!demo) throw new Error('the installation of the benchmark has no demo')
    return demo
  } finally {
    await runtime.close()
  }
}
