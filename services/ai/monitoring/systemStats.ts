import { availableParallelism, freemem, loadavg, totalmem } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ConsumerLags } from '../../../capabilities/readModels/consumerLags.ts'
import type { LeaseStatus } from '../../../platform/leases/leases.ts'

const NANOSECONDS_PER_MS = 1e6
/** Sampling interval of the event loop; each sample wakes it. */
const SAMPLE_EVERY_MS = 50

export type StatsSources = {
  readLags(): Promise<ConsumerLags>
  readLeases(): Promise<LeaseStatus[]>
}

/** The figures of /monitoring/stats: this process, the machine, and the lag of each consumer of the event store. */
export class SystemStats {
  readonly #sources: StatsSources
  readonly #delay = monitorEventLoopDelay({ resolution: SAMPLE_EVERY_MS })

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
        mean: delayMs(this.#delay.mean),
        p99: delayMs(this.#delay.percentile(99)),
        max: delayMs(this.#delay.max),
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

/**
 * Node measures the time between two samples; the delay is what exceeds the sampling interval. A histogram without samples
 * has no mean.
 */
export function delayMs(betweenSamplesNs: number): number {
  const ms = betweenSamplesNs / NANOSECONDS_PER_MS - SAMPLE_EVERY_MS
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms * 1000) / 1000) : 0
}
