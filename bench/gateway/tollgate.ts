import type { BenchFolder } from '../feed/benchFolder.ts'
import { freePorts } from '../freePorts.ts'
import type { Measured } from './benchProcess.ts'
import { chargesIn } from './chargesIn.ts'
import type { ChargingContestant } from './contestant.ts'
import { startInstallation } from './installation.ts'

export type Tollgate = ChargingContestant & { readonly projector: Measured; readonly databaseUrl: string }

export type TollgateOptions = {
  readonly name?: string
  /** The embedded event store by default. */
  readonly eventStoreUrl?: string
  readonly withTimelines?: boolean
}

/** As in `npm run stack`: gateway and projector in separate processes, on the embedded database. */
export async function startTollgate(
  folder: BenchFolder,
  upstream: string,
  { name = 'Tollgate', eventStoreUrl, withTimelines = false }: TollgateOptions = {},
): Promise<Tollgate> {
  const label = eventStoreUrl === undefined ? 'embedded' : 'eventstoredb'
  const [gatewayPort] = await freePorts(1)
  const engines = { GATEWAY_PORT: String(gatewayPort), ...(eventStoreUrl && { EVENTSTORE_URL: eventStoreUrl }) }
  const { config, databaseUrl, demo, start, projector } = await startInstallation(folder, label, upstream, engines)
  const gateway = await start('gateway', gatewayPort ?? 0, withTimelines)
  return {
    ...gateway,
    name,
    call: { url: `http://127.0.0.1:${gatewayPort}/llm/v1/chat/completions`, apiKey: demo.apiKey },
    projector,
    databaseUrl,
    charges: () => chargesIn(config, databaseUrl),
  }
}
