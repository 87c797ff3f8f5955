import type { Config } from '../config/config.ts'
import type { Tracing } from './port.ts'
import type { TracingOptions } from './tracingOptions.ts'

/** Null without a collector's address: then no code of OpenTelemetry's SDK is loaded. */
export async function openTracing(config: Config, options: TracingOptions): Promise<Tracing | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = config
  const url = own ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`)
  if (url === undefined) return null
  const { OpenTelemetry } = await import('./openTelemetry.ts')
  return new OpenTelemetry({
    ...options,
    url,
    sampler: config.OTEL_TRACES_SAMPLER,
    sampled: config.OTEL_TRACES_SAMPLER_ARG,
    closeMsMax: config.DRAIN_TIMEOUT_MS,
  })
}
