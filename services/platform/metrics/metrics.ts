import { collectDefaultMetrics, Registry } from 'prom-client'

/** The metrics of the process. Services in the same process share one registry and expose the same metrics. */
export class Metrics extends Registry {
  readonly #sources: (() => Promise<string>)[] = []

  /** Adds metrics of another thread, in the text format; they are read at each scrape. */
  addSource(read: () => Promise<string>): void {
    this.#sources.push(read)
  }

  override async metrics(): Promise<string> {
    const texts = await Promise.all([super.metrics(), ...this.#sources.map((read) => read())])
    return texts.join('\n')
  }
}

export function createMetrics(): Metrics {
  const metrics = new Metrics()
  collectDefaultMetrics({ register: metrics })
  return metrics
}
