import { join } from 'node:path'
import type { Config, SettingName } from '../../platform/config/config.ts'
import { sandboxHost } from '../../platform/config/sandboxParties.ts'
import { SettingError } from '../../platform/config/settingError.ts'
import { serviceUrl } from '../../platform/http/httpServer.ts'

export type Counts = { readonly gateways: number; readonly projectors: number; readonly relays: number }

/** One process of the stack. */
export type PlannedProcess = {
  /** The service, with a number if there are several. */
  readonly name: string
  readonly main: string
  readonly portSetting: PortSetting
  readonly port: number
  readonly url: string
}

type PortSetting = SettingName & `${string}_PORT`
type Service = 'gateway' | 'backend' | 'ai' | 'projector' | 'reactor' | 'relay' | 'sandbox'

/** Processes of one service use its port, that port plus ten, plus twenty, which is not the default of any other service. */
const PORT_STEP = 10
const PORT_MAX = 65_535

/**
 * Returns the processes in tiers, in start order. The drain goes in reverse, so that calls end while all services that
 * they need are still running. Consumers of topics start after the relay, which creates the topics.
 */
export function planStack(config: Config, counts: Counts): PlannedProcess[][] {
  const isSeveral = counts.gateways > 1
  if (isSeveral && config.REDIS_URL === undefined) {
    throw new SettingError(
      `REDIS_URL is not set: ${counts.gateways} gateways would not share their limits; set it, or start one gateway`,
    )
  }
  const of = (service: Service, count = 1) => processesOf(config, service, count)
  const plan = [
    [...(config.sandbox ? of('sandbox') : []), ...(config.KAFKA_BROKERS ? of('relay', counts.relays) : [])],
    [...of('projector', counts.projectors), ...of('reactor'), ...of('ai'), ...of('backend')],
    of('gateway', counts.gateways),
  ].filter((tier) => tier.length > 0)
  requireDistinctPorts(plan.flat())
  return plan
}

function processesOf(config: Config, service: Service, count: number): PlannedProcess[] {
  const portSetting = `${service.toUpperCase()}_PORT` as PortSetting
  return Array.from({ length: count }, (_, n) => {
    const port = Number(config[portSetting]) + n * PORT_STEP
    return {
      name: count === 1 ? service : `${service} ${n + 1}`,
      main: join(import.meta.dirname, '..', '..', 'services', service, 'main.ts'),
      portSetting,
      port,
      url: serviceUrl(service === 'sandbox' ? sandboxHost(config) : config.HOST, port),
    }
  })
}

function requireDistinctPorts(processes: readonly PlannedProcess[]): void {
  const byPort = new Map<number, PlannedProcess>()
  for (const process of processes) {
    const { name, port, portSetting } = process
    if (port < PORT_STEP || port > PORT_MAX) {
      throw new SettingError(
        `${portSetting}: ${name} cannot use port ${port}; in a stack every port must be fixed, from ${PORT_STEP} to ${PORT_MAX}`,
      )
    }
    const other = byPort.get(port)
    if (other) throw new SettingError(`${portSetting}: ${name} and ${other.name} would both use port ${port}`)
    byPort.set(port, process)
  }
}
