import { collectDefaultMetrics, Registry } from 'prom-client'
import { type Clock, systemClock } from '../clock/clock.ts'
import { settlesWithin } from '../clock/within.ts'

/**
 * How long a scrape waits for one metric, most of which are read from the database or the event store. Prometheus gives
 * up after 10 s and then gets nothing from the process, not even that it runs.
 */
const READ_MS_MAX = 3_000

/** The metrics of the process. Services in the same process share one registry and expose the same metrics. */
export class Metrics extends Registry {
  readonly #sources: (() => Promise<string>)[] = []
  /** Running reads by metric name. */
  readonly #readings = new Map<string, Promise<string>>()
  readonly #clock: Clock

  constructor(clock: Clock = systemClock) {
    super()
    this.#clock = clock
  }

  /** Adds metrics of another thread, in the text format; they are read at each scrape. */
  addSource(read: () => Promise<string>): void {
    this.#sources.push(read)
  }

  /** A metric that cannot be read in time is left out, so that the others still arrive. */
  override async metrics(): Promise<string> {
    const own = this.getMetricsAsArray().map(({ name }) => this.#textOf(name))
    const texts = await Promise.all([...own, ...this.#sources.map((read) => read())])
    return `${texts.filter((text) => text !== null).join('\n\n')}\n`
  }

  /** Null if it takes too long. The read then continues, and the next scrape waits for it instead of starting another. */
  async #textOf(name: string): Promise<string | null> {
    const reading = this.#readings.get(name) ?? this.#begin(name)
    return (await settlesWithin(reading, READ_MS_MAX, this.#clock)) ? reading : null
  }

  #begin(name: string): Promise<string> {
    const reading = this.getSingleMetricAsString(name).finally(() => this.#readings.delete(name))
    this.#readings.set(name, reading)
    return reading
  }
}

export function createMetrics(): Metrics {
  const metrics = new Metrics()
  collectDefaultMetrics({ register: metrics })
  return metrics
}
