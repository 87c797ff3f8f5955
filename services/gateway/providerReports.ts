import {
  type GatewayReport,
  publishReport,
  REPORT_EVERY_MS,
  withdrawReport,
} from '../../capabilities/providers/gatewayReports.ts'
import type { ProviderClient } from '../../capabilities/providers/providerClient.ts'
import { DEFAULT_WEIGHT } from '../../capabilities/providers/providerOrder.ts'
import type { ProviderTable } from '../../capabilities/providers/providersFile.ts'
import type { ProviderWatch } from '../../capabilities/providers/providerWatch.ts'
import { DEFAULT_WIRES, wiresOf } from '../../capabilities/providers/wires.ts'
import type { Clock, Timer } from '../../platform/clock/clock.ts'
import { settlesWithin } from '../../platform/clock/within.ts'
import type { Ids } from '../../platform/ids/ids.ts'
import type { Log } from '../../platform/logger/logger.ts'
import type { Database } from '../../projections/runner/ports.ts'

/** A drain does not wait longer for a database that is away; the report expires by itself. */
const WITHDRAW_MS_MAX = 1_000

export type ProviderReportsOptions = {
  readonly database: Pick<Database, 'query'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly client: Pick<ProviderClient, 'breakerStates'>
  readonly watch: Pick<ProviderWatch, 'figures'>
  /** The table in force. */
  readonly table: () => ProviderTable
}

/** Reports what this gateway serves and how its providers answer, so that the backend can show it. */
export class ProviderReports {
  readonly #options: ProviderReportsOptions
  readonly #gatewayId: string
  readonly #timer: Timer
  #underWay: Promise<void> | null = null

  constructor(options: ProviderReportsOptions) {
    this.#options = options
    this.#gatewayId = options.ids.uuid()
    this.#timer = options.clock.every(REPORT_EVERY_MS, () => this.#report())
    this.#report()
  }

  async stop(): Promise<void> {
    const { database, clock } = this.#options
    this.#timer.cancel()
    const withdrawn = async () => {
      await this.#underWay
      await this.#attempt(() => withdrawReport(database, this.#gatewayId))
    }
    await settlesWithin(withdrawn(), WITHDRAW_MS_MAX, clock)
  }

  /** One at a time: none starts while another waits for the database. */
  #report(): void {
    this.#underWay ??= this.#attempt(() =>
      publishReport(this.#options.database, this.#gatewayId, reportOf(this.#options)),
    ).finally(() => {
      this.#underWay = null
    })
  }

  /** Calls do not depend on reports, and an outage of the database is logged by those that do. */
  async #attempt(write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      this.#options.log.debug({ err: error }, 'figures of providers could not be reported')
    }
  }
}

export function reportOf({
  client,
  watch,
  table,
}: Pick<ProviderReportsOptions, 'client' | 'watch' | 'table'>): GatewayReport {
  const figures = new Map(watch.figures().map((each) => [each.provider, each]))
  const routes = Object.entries(table()).flatMap(([alias, entry]) => {
    if (!entry) return []
    const { strategy = 'order', contextLength = null, maxOutputTokens, providers } = entry
    const named = providers.map(({ name, weight = DEFAULT_WEIGHT, wires = DEFAULT_WIRES }) => ({ name, weight, wires }))
    return [{ alias, strategy, contextLength, maxOutputTokens, wires: wiresOf(providers), providers: named }]
  })
  const providers = [...client.breakerStates()].map(([provider, breaker]) => ({
    ...(figures.get(provider) ?? { provider, answers: 0, errors: 0, firstByteMs: null }),
    breaker,
  }))
  return { routes, providers }
}
