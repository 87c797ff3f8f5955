import { availableParallelism, freemem, loadavg, totalmem } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { LeaseStatus } from '../../platform/leases/leases.ts'
import type { ConsumerLags } from './consumerLags.ts'

const NANOSECONDS_PER_MS = 1e6

export type StatsSources = {
  readLags(): Promise<ConsumerLags>
  readLeases(): Promise<LeaseStatus[]>
}

/** The figures of /monitoring/stats: this process, the machine, and how far everybody is behind the event store. */
export class SystemStats {
  readonly #sources: StatsSources
  readonly #delay = monitorEventLoopDelay({ resolution: 20 })

  constructor(sources: StatsSources) {
    this.#sources = sources
    this.#delay.enable()
  }

  async read() {
    const { rss, heapUsed, heapTotal } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const lags = await this.#sources.readLags()
    const leases = await this.#sources.readLeases()
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
      feed: feedJson(lags),
      projections: projectionsJson(lags),
      leases: leases.map(({ name, holder, epoch, msLeft }) => ({ name, holder, epoch, ms_left: msLeft })),
    }
  }

  close(): void {
    this.#delay.disable()
  }
}

function feedJson({ head, relay }: ConsumerLags) {
  if (!relay) return { head, relay: null }
  const { position, lagEvents, epoch, updatedAt } = relay
  return { head, relay: { position, lag_events: lagEvents, epoch, moved_at: updatedAt } }
}

function projectionsJson({ projections }: ConsumerLags) {
  return projections.map(({ name, version, lagEvents, partitions }) => ({
    name,
    version,
    lag_events: lagEvents,
    partitions: partitions.map((lag) => ({
      partition: lag.partition,
      position: lag.position,
      lag_events: lag.lagEvents,
    })),
  }))
}

/** A histogram that has seen nothing yet has no mean. */
function finite(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 1000) / 1000 : 0
}
