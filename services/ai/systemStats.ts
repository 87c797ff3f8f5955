import { availableParallelism, freemem, loadavg, totalmem } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { readCheckpoint } from '../../projections/runner/checkpoints.ts'
import type { Engines } from '../platform/engines.ts'

const NANOSECONDS_PER_MS = 1e6

/** The figures of /monitoring/stats: this process, the machine, and how far the read models are behind the store. */
export class SystemStats {
  readonly #engines: Engines
  readonly #delay = monitorEventLoopDelay({ resolution: 20 })

  constructor(engines: Engines) {
    this.#engines = engines
    this.#delay.enable()
  }

  async read() {
    const { rss, heapUsed, heapTotal } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    return {
      uptime_seconds: Math.round(process.uptime()),
      cpu: {
        cores: availableParallelism(),
        load_average: loadavg(),
        user_seconds: user / 1e6,
        system_seconds: system / 1e6,
      },
      memory: {
        rss_bytes: rss,
        heap_used_bytes: heapUsed,
        heap_total_bytes: heapTotal,
        machine_total_bytes: totalmem(),
        machine_free_bytes: freemem(),
      },
      event_loop_delay_ms: {
        mean: finite(this.#delay.mean / NANOSECONDS_PER_MS),
        p99: finite(this.#delay.percentile(99) / NANOSECONDS_PER_MS),
        max: finite(this.#delay.max / NANOSECONDS_PER_MS),
      },
      projections: await this.#lags(),
    }
  }

  close(): void {
    this.#delay.disable()
  }

  async #lags() {
    const { database, store } = this.#engines
    return Promise.all(
      PROJECTIONS.map(async ({ name }) => {
        const checkpoint = await readCheckpoint(database, name)
        const positions = Object.values(checkpoint?.positions ?? {})
        const lags = await Promise.all(positions.map((position) => store.eventsAfter(position)))
        return { name, version: checkpoint?.version ?? null, lag_events: lags.length === 0 ? null : Math.max(...lags) }
      }),
    )
  }
}

/** A histogram that has seen nothing yet has no mean. */
function finite(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 1000) / 1000 : 0
}
