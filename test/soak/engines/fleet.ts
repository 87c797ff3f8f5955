import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Installation, openInstallation } from '../../../capabilities/installation.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { SettingError } from '../../../platform/config/settingError.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { sendSignal } from '../../../platform/postgres/embedded/sendSignal.ts'
import { type Counts, planStack } from '../../../scripts/stack/plan.ts'
import { requireFreePorts } from '../../../scripts/stack/startStack.ts'
import type { RunningProcess } from '../../../scripts/stack/supervisor.ts'
import { type FixedPortPostgres, startFixedPortPostgres } from '../../support/databases/fixedPortPostgres.ts'
import { openTestKafka, type TestKafka } from '../../support/engines/kafkaBroker.ts'
import { type RedisServer, startRedisServer } from '../../support/engines/redisServer.ts'
import { UNLIMITED } from '../../support/harness/installation.ts'
import { beginStack, type Stack } from '../../support/harness/stack.ts'
import { onAbruptExit } from '../../support/processes/exitSteps.ts'
import { reusablePorts } from '../../support/processes/reusablePorts.ts'
import { type ProviderProcess, startProviderProcess } from './provider.ts'
import { type SoakStore, startSoakStore } from './soakStore.ts'

export type Fleet = {
  readonly kafka: TestKafka
  readonly redis: RedisServer
  readonly postgres: FixedPortPostgres
  readonly store: SoakStore
  readonly provider: ProviderProcess
  readonly stack: Stack
  readonly gateways: readonly string[]
  readonly internalToken: string
  /** The same engines for the soak itself, which sends commands and reads ledgers and read models. */
  readonly engines: Installation
  stop(): Promise<void>
}

const COUNTS: Counts = { gateways: 3, projectors: 2, relays: 2 }
const BROKERS = { brokers: 3, heapMb: 192 }
const SERVICES = ['GATEWAY', 'BACKEND', 'AI', 'SANDBOX', 'SANDBOX_SMTP', 'PROJECTOR', 'REACTOR', 'RELAY']
const PORT_TRIES_MAX = 20

/**
 * Only processes are killed, never the machine, so nothing is lost without fsync. With it, a Postgres that starts after a
 * kill syncs its whole folder, and a slow disk then holds up the event store too.
 */
const POSTGRES_SETTINGS = { max_connections: '300', fsync: 'off' }

/** Every engine and service as a separate process. If one does not start, the others are stopped. */
export async function startFleet(tell: (line: string) => void): Promise<Fleet> {
  const closers: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  }
  const started = async <Part>(starting: Promise<Part>, close: (part: Part) => Promise<void>): Promise<Part> => {
    const part = await starting
    closers.push(() => close(part))
    return part
  }
  try {
    tell('starting three brokers, Redis, Postgres, the event store and the provider')
    const engineParts = await Promise.allSettled([
      started(openTestKafka(BROKERS), (kafka) => kafka.remove()),
      started(startRedisServer(), (redis) => redis.stop()),
      started(startFixedPortPostgres(POSTGRES_SETTINGS), (postgres) => postgres.remove()),
      started(startSoakStore(tell), (store) => store.remove()),
      started(startProviderProcess(), (provider) => provider.stop()),
    ])
    const [kafka, redis, postgres, store, provider] = fulfilled(engineParts)
    const settings = {
      ...UNLIMITED,
      SANDBOX: '1',
      DATABASE_URL: postgres.url,
      EVENTSTORE_URL: store.url,
      KAFKA_BROKERS: kafka.addresses,
      REDIS_URL: redis.url,
      PROVIDERS_FILE: provider.providersFile,
    }
    const ports = await freeStackPorts(settings, COUNTS)
    tell('starting the services')
    const args = Object.entries(COUNTS).flatMap(([name, count]) => [`--${name}`, String(count)])
    const stack = await started(beginStack(args, { ...settings, ...ports }), (begun) => begun.stop())
    closers.push(killServicesAsLastStep(stack))
    await stack.ready()
    const { internalToken } = await stack.demo()
    const gateways = (await stack.processes()).filter(({ name }) => name.startsWith('gateway')).map(({ url }) => url)
    const config = readConfig({ ...settings, DATA_DIR: stack.dataDir })
    const { log } = openLog({ level: 'silent', file: null })
    const engines = await started(
      openInstallation(config, postgres.url, { clock: systemClock, ids: systemIds, log }),
      (opened) => opened.close(),
    )
    return { kafka, redis, postgres, store, provider, stack, gateways, internalToken, engines, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Several gateways take ports beside the first one's, which must be free as well. */
export async function freeStackPorts(
  settings: Readonly<Record<string, string>>,
  counts: Counts,
): Promise<Record<string, string>> {
  for (let tries = 0; tries < PORT_TRIES_MAX; tries++) {
    const ports = await reusablePorts(SERVICES.length)
    const own = Object.fromEntries(SERVICES.map((name, n) => [`${name}_PORT`, String(ports[n])]))
    try {
      await requireFreePorts('127.0.0.1', planStack(readConfig({ ...settings, ...own }), counts).flat())
      return own
    } catch (error) {
      if (!(error instanceof SettingError)) throw error
    }
  }
  throw new Error('there are not enough free ports')
}

/** A supervisor that is killed leaves its services to drain for a while; Ctrl-C is to leave nothing at once. */
export function killServicesAsLastStep({ dataDir }: Stack): () => Promise<void> {
  const callOff = onAbruptExit(() => {
    try {
      const { processes } = JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8')) as {
        processes: readonly RunningProcess[]
      }
      for (const { pid } of processes) sendSignal(pid, 'SIGKILL')
    } catch {
      // None runs.
    }
  })
  return async () => callOff()
}

type Settled<Parts> = { [Index in keyof Parts]: PromiseSettledResult<Parts[Index]> }

function fulfilled<Parts extends unknown[]>(results: Settled<[...Parts]>): Parts {
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  }) as Parts
}
