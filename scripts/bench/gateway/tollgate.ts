import { BEGINNING } from '../../../contracts/position.ts'
import { systemClock } from '../../../services/platform/clock/clock.ts'
import type { Config } from '../../../services/platform/config/config.ts'
import { openEngines } from '../../../services/platform/engines.ts'
import { READ_PAGE_EVENTS_MAX } from '../../../services/platform/eventStore/storeLimits.ts'
import { systemIds } from '../../../services/platform/ids/ids.ts'
import { openLog } from '../../../services/platform/log/log.ts'
import type { BenchFolder } from '../feed/benchFolder.ts'
import { freePorts } from '../freePorts.ts'
import type { Measured } from './benchProcess.ts'
import type { TimedContestant } from './contestant.ts'
import { startInstallation } from './installation.ts'

export type Tollgate = TimedContestant & {
  readonly projector: Measured
  readonly databaseUrl: string
  /** Calls that are charged on the ledger, durably. */
  charges(): Promise<number>
}

export type TollgateOptions = {
  readonly name?: string
  /** The embedded event store by default. */
  readonly eventStoreUrl?: string
  readonly withTimelines?: boolean
}

/** As `npm run stack` runs them: gateway and projector each a process, on the embedded database. */
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
    name,
    call: { url: `http://127.0.0.1:${gatewayPort}/llm/v1/chat/completions`, apiKey: demo.apiKey },
    usage: gateway.usage,
    timelines: gateway.timelines,
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
