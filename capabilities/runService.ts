import { enableCompileCache } from 'node:module'
import { type Config, readConfig, requireSettings, type SettingName } from '../platform/config/config.ts'
import { SettingError } from '../platform/config/settingError.ts'
import { DrainLimit } from '../platform/drainLimit.ts'
import { liveRoute } from '../platform/http/commonRoutes/liveRoute.ts'
import { metricsRoute } from '../platform/http/commonRoutes/metricsRoute.ts'
import { createApp } from '../platform/http/createApp.ts'
import { serviceGuards } from '../platform/http/guards.ts'
import { listen } from '../platform/http/httpServer.ts'
import type { Route } from '../platform/http/route.ts'
import { failStart, untilSignalled } from '../platform/lifecycle.ts'
import type { RunningService } from '../platform/service.ts'
import type { Runtime } from './installation.ts'
import { openRuntime } from './installation.ts'
import { untilModelsAreBuilt } from './readModels/builtModels.ts'

type OperationsPort = 'PROJECTOR_PORT' | 'REACTOR_PORT' | 'RELAY_PORT'

export type ServiceProgram = {
  readonly name: string
  /** This service is one of the gateways, which enforce the limits together. */
  readonly admitsCalls?: boolean
  /** Uses read models, and so waits until they have the columns of this version. */
  readonly readsModels?: boolean
  /** What this service requires outside a sandbox installation. */
  readonly requires: readonly SettingName[]
  start(runtime: Runtime, config: Config): Promise<RunningService>
  /** For a service without its own routes: where its health and metrics are served when it runs alone. */
  readonly operationsPort?: OperationsPort
}

/** Runs one service as one process, on configured engines: `npm run start:<name>`. Its log goes to standard output. */
export async function runService(program: ServiceProgram): Promise<void> {
  const { name, admitsCalls } = program
  enableCompileCache()
  try {
    const config = readConfig(process.env)
    if (config.DATABASE_URL === undefined) {
      throw new SettingError(
        `DATABASE_URL is not set: ${name} alone needs configured engines; "npm start" brings its own`,
      )
    }
    requireSettings(config, program.requires)
    const signalled = untilSignalled(() => process.exit(1))
    const runtime = await openRuntime({ config, database: config.DATABASE_URL, log: null, name, admitsCalls })
    if (program.readsModels) {
      const stopping = new AbortController()
      void signalled.then(() => stopping.abort())
      await untilModelsAreBuilt(runtime, stopping.signal)
      if (stopping.signal.aborted) {
        await runtime.close()
        process.exit(0)
      }
    }
    const services = [await program.start(runtime, config)]
    if (program.operationsPort) services.push(await startOperations(runtime, name, program.operationsPort))
    runtime.log.info({ services: services.map(({ name, url }) => ({ name, url })) }, 'ready')
    for (const { loadRest } of services) await loadRest?.()
    runtime.log.info({ signal: await signalled }, 'draining')
    const limit = new DrainLimit({ config, clock: runtime.clock, log: runtime.log })
    for (const service of services) await limit.step(service.name, (timeoutMs) => service.drain(timeoutMs))
    await limit.step('engines', () => runtime.close())
    process.exit(limit.isExceeded ? 1 : 0)
  } catch (error) {
    failStart(error)
  }
}

async function startOperations(runtime: Runtime, name: string, portSetting: OperationsPort): Promise<RunningService> {
  const { config, secrets, clock, ids, log, network } = runtime
  const handler = createApp({
    routes: operationsRoutes(runtime),
    guards: serviceGuards(secrets.internalToken),
    clock,
    ids,
    log,
  })
  const address = { host: config.HOST, port: config[portSetting], portSetting }
  const server = await listen({ handler, ...address, clock, bind: network?.listen })
  return { name: `${name} operations`, url: server.url, drain: server.drain }
}

/** What a service without its own routes serves when it runs alone. */
export function operationsRoutes({ metrics }: Pick<Runtime, 'metrics'>): readonly Route<null>[] {
  return [liveRoute, metricsRoute(metrics)]
}
