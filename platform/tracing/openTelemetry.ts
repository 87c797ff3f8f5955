import { hostname } from 'node:os'
import {
  type AttributeValue,
  type Context,
  type Span as OtelSpan,
  SpanKind as OtelSpanKind,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Clock } from '../clock/clock.ts'
import { settlesWithin } from '../clock/within.ts'
import type { Config } from '../config/config.ts'
import type { Ids } from '../ids/ids.ts'
import { VERSION } from '../version.ts'
import type { Span, SpanAttributes, SpanKind, SpanOptions, Tracing } from './port.ts'
import type { TracingOptions } from './tracingOptions.ts'
import { WatchedExporter } from './watchedExporter.ts'

/** Versions after 00 may add fields at the end, which are ignored. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const TRACEPARENT_LENGTH_MAX = 256
const NO_TRACE = '0'.repeat(32)
const NO_SPAN = '0'.repeat(16)

/** How many spans may wait for the collector; further ones are dropped. */
const SPANS_WAITING_MAX = 4_096
/** The number of spans in one request to the collector. */
const SPANS_SENT_MAX = 512
/** How long a span waits for others to be sent with it. */
const GATHER_MS = 2_000
/** The last spans are not worth a longer drain, especially if the collector did not accept earlier ones. */
const CLOSE_MS_MAX = 2_000
const CLOSE_AWAY_MS_MAX = 100
/** Every attribute is an id, a name or a figure; a longer one is a mistake. */
const ATTRIBUTE_CHARS_MAX = 256

const KINDS: Readonly<Record<SpanKind, OtelSpanKind>> = {
  internal: OtelSpanKind.INTERNAL,
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  producer: OtelSpanKind.PRODUCER,
  consumer: OtelSpanKind.CONSUMER,
}

type SamplerOptions = { readonly sampler: Config['OTEL_TRACES_SAMPLER']; readonly sampled: number }

type OpenTelemetryOptions = TracingOptions &
  SamplerOptions & {
    /** Where the collector accepts traces. */
    readonly url: string
    readonly closeMsMax: number
  }

/**
 * Sends spans to a collector over OTLP/HTTP, as JSON. The exporter reads its standard settings (headers, compression,
 * certificates) by itself. Nothing is registered globally and no function is wrapped, so the only spans are those
 * started here.
 */
export class OpenTelemetry implements Tracing {
  readonly #provider: TracerProvider
  readonly #tracer: Tracer
  readonly #clock: Clock
  readonly #exporter: WatchedExporter
  readonly #closeMsMax: number
  #sinceMonotonicMs = Number.NaN

  constructor({ clock, ids, log, name, url, closeMsMax, sampler, sampled }: OpenTelemetryOptions) {
    this.#clock = clock
    this.#closeMsMax = Math.min(closeMsMax, CLOSE_MS_MAX)
    this.#exporter = new WatchedExporter(new OTLPTraceExporter({ url }), { clock, log })
    const own = {
      'service.name': name === 'tollgate' ? name : `tollgate-${name}`,
      'service.version': VERSION,
      // The threads of a process share it. Containers have their own host names.
      'service.instance.id': `${hostname()}:${process.pid}`,
    }
    this.#provider = new TracerProvider({
      sampler: samplerOf({ sampler, sampled }),
      spanLimits: { attributeValueLengthLimit: ATTRIBUTE_CHARS_MAX },
      resource: defaultResource()
        .merge(resourceFromAttributes(own))
        .merge(detectResources({ detectors: [envDetector] })),
      idGenerator: idGenerator(ids),
      spanProcessors: [
        this.#exporter.queue(SPANS_WAITING_MAX),
        new BatchSpanProcessor({
          exporter: this.#exporter,
          maxQueueSize: SPANS_WAITING_MAX,
          maxExportBatchSize: SPANS_SENT_MAX,
          scheduledDelayMillis: GATHER_MS,
        }),
      ],
    })
    this.#tracer = this.#provider.getTracer('tollgate', VERSION)
  }

  begin(name: string, { kind = 'internal', parent, attributes = {}, beganAtMs }: SpanOptions = {}): Span {
    const now = this.#now()
    const span = this.#tracer.startSpan(
      name,
      // The time of another machine may be ahead of ours.
      { kind: KINDS[kind], attributes: given(attributes), startTime: Math.min(beganAtMs ?? now, now) },
      contextOf(parent),
    )
    return new BegunSpan(span, () => this.#now())
  }

  async close(): Promise<void> {
    const msMax = this.#exporter.isAway ? CLOSE_AWAY_MS_MAX : this.#closeMsMax
    // The exporter has reported what it could not send.
    await settlesWithin(this.#provider.shutdown(), msMax, this.#clock).catch(() => {})
  }

  /** Milliseconds since 1970 with a fraction. They follow the system's clock, even when it is set. */
  #now(): number {
    const monotonicMs = this.#clock.monotonicMs()
    const ms = this.#clock.now()
    if (!(Math.abs(this.#sinceMonotonicMs + monotonicMs - ms) < 2)) this.#sinceMonotonicMs = ms - monotonicMs
    return this.#sinceMonotonicMs + monotonicMs
  }
}

class BegunSpan implements Span {
  readonly span: OtelSpan
  readonly #now: () => number

  constructor(span: OtelSpan, now: () => number) {
    this.span = span
    this.#now = now
  }

  get traceId(): string {
    return this.span.spanContext().traceId
  }

  get traceparent(): string | null {
    const { traceId, spanId, traceFlags } = this.span.spanContext()
    return traceFlags & TraceFlags.SAMPLED ? `00-${traceId}-${spanId}-01` : null
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(given(attributes))
  }

  fail(reason: string): void {
    this.span.setAttribute('error.type', reason)
    this.span.setStatus({ code: SpanStatusCode.ERROR })
  }

  /** The SDK reports a second end as a mistake, but an interrupted call may well end a step twice. */
  end(): void {
    if (this.span.isRecording()) this.span.end(this.#now())
  }
}

function given(attributes: SpanAttributes): Record<string, AttributeValue> {
  const known: Record<string, AttributeValue> = {}
  for (const name in attributes) {
    const value = attributes[name]
    if (value !== undefined) known[name] = value
  }
  return known
}

function contextOf(parent: Span | string | undefined): Context {
  if (parent instanceof BegunSpan) return trace.setSpan(ROOT_CONTEXT, parent.span)
  const remote = typeof parent === 'string' ? parseTraceparent(parent) : null
  if (!remote) return ROOT_CONTEXT
  const { traceId, spanId, flags: traceFlags } = remote
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

/** `sampled` is the share of new traces, for the samplers that have one. */
function samplerOf({ sampler, sampled }: SamplerOptions): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(sampled)
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampled) })
    default:
      return sampler satisfies never
  }
}

/** The random half of a UUID is enough for a span, and never zero. */
function idGenerator(ids: Ids): IdGenerator {
  const hex = () => ids.uuid().replaceAll('-', '')
  return { generateTraceId: hex, generateSpanId: () => hex().slice(16) }
}

/** The content of a W3C Trace Context `traceparent`. */
type TraceParent = { readonly traceId: string; readonly spanId: string; readonly flags: number }

/** Null for anything that the specification calls invalid; the request then starts its own trace. */
export function parseTraceparent(text: string): TraceParent | null {
  const found = text.length <= TRACEPARENT_LENGTH_MAX ? TRACEPARENT.exec(text) : null
  if (!found) return null
  const [, version = '', traceId = '', spanId = '', flags = '', more] = found
  if (version === 'ff' || (version === '00' && more !== undefined)) return null
  if (traceId === NO_TRACE || spanId === NO_SPAN) return null
  return { traceId, spanId, flags: Number.parseInt(flags, 16) }
}
