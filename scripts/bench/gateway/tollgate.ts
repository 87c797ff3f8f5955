import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BEGINNING } from '../../../contracts/position.ts'
import { systemClock } from '../../../services/platform/clock/clock.ts'
import { type Config, readConfig } from '../../../services/platform/config/config.ts'
import { openEngines } from '../../../services/platform/engines.ts'
import { READ_PAGE_EVENTS_MAX } from '../../../services/platform/eventStore/storeLimits.ts'
import { systemIds } from '../../../services/platform/ids/ids.ts'
import { openLog } from '../../../services/platform/log/log.ts'
import { openRuntime } from '../../../services/platform/openRuntime.ts'
import { NODE_FLAGS } from '../../stack/serviceProcess.ts'
import { openConfiguredDatabase } from '../../start/openDatabase.ts'
import { prepareInstallation } from '../../start/prepareInstallation.ts'
import type { BenchFolder } from '../feed/benchFolder.ts'
import { freePorts } from '../freePorts.ts'
import { type Measured, startMeasured } from './benchProcess.ts'
import type { Contestant } from './contestant.ts'

const SERVICES = join(import.meta.dirname, '..', '..', '..', 'services')

export type Tollgate = Contestant & {
  readonly projector: Measured
  readonly databaseUrl: string
  /** Calls that are charged on the ledger, durably. */
  charges(): Promise<number>
}

export type TollgateOptions = {
  readonly name?: string
  /** The embedded event store by default. */
  readonly eventStoreUrl?: string
}

/** As `npm run stack` runs them: gateway and projector each a process, on the embedded database. */
export async function startTollgate(
  folder: BenchFolder,
  upstream: string,
  { name = 'Tollgate', eventStoreUrl }: TollgateOptions = {},
): Promise<Tollgate> {
  const [gatewayPort, projectorPort] = await freePorts(2)
  const label = eventStoreUrl === undefined ? 'embedded' : 'eventstoredb'
  const dataDir = join(folder.path, `data-${label}`)
  const settings = {
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    SANDBOX: '1',
    GATEWAY_PORT: String(gatewayPort),
    PROJECTOR_PORT: String(projectorPort),
    PROVIDERS_FILE: await providersFile(folder, upstream),
    LOG_LEVEL: 'info',
    IP_RPM: '0',
    DEMO_KEY_RPM: '1000000000',
    DEMO_KEY_TPM: '100000000000',
    DEMO_CREDITS: '1000000000',
    ...(eventStoreUrl !== undefined && { EVENTSTORE_URL: eventStoreUrl }),
  }
  const config = readConfig(settings)
  const { url: databaseUrl } = await openConfiguredDatabase(config, new AbortController().signal, folder.closers)
  const apiKey = await seededKey(folder, config, databaseUrl)
  const env = { ...NO_OTHER_ENGINES, ...settings, DATABASE_URL: databaseUrl }
  const start = (service: string, port: number | undefined) =>
    startMeasured(folder, {
      name: `${service}-${label}`,
      file: join(SERVICES, service, 'main.ts'),
      env,
      nodeFlags: NODE_FLAGS,
      url: `http://127.0.0.1:${port}/metrics`,
    })
  const projector = await start('projector', projectorPort)
  const gateway = await start('gateway', gatewayPort)
  return {
    name,
    call: { url: `http://127.0.0.1:${gatewayPort}/llm/v1/chat/completions`, apiKey },
    usage: gateway.usage,
    projector,
    databaseUrl,
    charges: () => chargesIn(config, databaseUrl),
  }
}

async function chargesIn(config: Config, databaseUrl: string): Promise<number> {
  const { log } = openLog({ level: 'silent', file: null })
  const engines = await openEngines(config, databaseUrl, { clock: systemClock, ids: systemIds, log })
  try {
    let count = 0
    for (let after = BEGINNING; ; ) {
      const page = await engines.store.readAll({ after, categories: ['ledger'], limit: READ_PAGE_EVENTS_MAX })
      if (page.position === after) return count
      after = page.position
      for (const { type } of page.events) if (type === 'CallCharged') count++
    }
  } finally {
    await engines.close()
  }
}

/** Whatever the person who measures has set. */
const NO_OTHER_ENGINES = { EVENTSTORE_URL: '', KAFKA_BROKERS: '', REDIS_URL: '' }

async function providersFile({ path }: BenchFolder, upstream: string): Promise<string> {
  const file = join(path, 'providers.json')
  const wires = ['chat', 'responses', 'messages']
  const provider = { name: 'bench', baseUrl: `${upstream}/v1`, model: 'bench-model', wires }
  await writeFile(file, JSON.stringify({ aliases: { 'svc/chat-default': { providers: [provider] } } }))
  return file
}

async function seededKey({ path }: BenchFolder, config: Config, databaseUrl: string): Promise<string> {
  const logFile = join(path, 'seed.log')
  const runtime = await openRuntime({ config, databaseUrl, logFile, name: 'bench' })
  try {
    const demo = await prepareInstallation(runtime)
    if (!demo) throw new Error('the installation of the benchmark has no demo')
    return demo.apiKey
  } finally {
    await runtime.close()
  }
}
