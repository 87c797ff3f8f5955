/** Undefined values are left out. Never put in a secret, a prompt, an answer, an address or a person's name. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

export type SpanOptions = {
  /** Default: internal. */
  readonly kind?: SpanKind
  /** A span of this process, or the `traceparent` of another. Without one, or if it is invalid, a new trace starts. */
  readonly parent?: Span | string | undefined
  readonly attributes?: SpanAttributes
  /** Milliseconds since 1970. Default: now. */
  readonly beganAtMs?: number
}

/** A timed step of a trace. Once it has ended it no longer changes. */
export interface Span {
  readonly traceId: string
  /** What another process needs to continue the trace (W3C Trace Context); null if the trace is not sampled. */
  readonly traceparent: string | null
  set(attributes: SpanAttributes): void
  /** Marks the step as failed. The reason is one of a few codes, never text from a caller or provider. */
  fail(reason: string): void
  end(): void
}

/**
 * Where the spans of a process go. Without a collector a process has null instead, so that a call pays for one check
 * only; spans are passed explicitly, because tracking them by asynchronous context would slow down every call.
 */
export interface Tracing {
  begin(name: string, options?: SpanOptions): Span
  /** Sends the spans that have ended, if the collector accepts them in time. */
  close(): Promise<void>
}
