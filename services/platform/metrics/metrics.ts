import { collectDefaultMetrics, Registry } from 'prom-client'

/** One for the process: every service in it shows the same figures, each named by what it counts. */
export class Metrics extends Registry {
  readonly #sources: (() => Promise<string>)[] = []

  /** Figures that another thread counts, in the text form; asked for at each look. */
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
