import { collectDefaultMetrics, Registry } from 'prom-client'

export type Metrics = Registry

/** One for the process: every service in it shows the same figures, each labelled by what it counts. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}
