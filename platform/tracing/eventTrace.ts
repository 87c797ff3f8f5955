import type { Envelope } from '../../contracts/envelope.ts'
import type { SpanAttributes } from './port.ts'

export type TracedEvent = Envelope & { readonly type: string }

/** An event that is read after this time, by a new or late reader, does not reopen its trace. */
const TRACED_MS_MAX = 10 * 60 * 1_000

/** The trace that the event belongs to; undefined for most events, and for old ones. */
export function traceOfEvent({ metadata, recordedAt }: TracedEvent, nowMs: number): string | undefined {
  if (metadata.traceparent === undefined || metadata.recordedAt !== undefined) return undefined
  return nowMs - Date.parse(recordedAt) <= TRACED_MS_MAX ? metadata.traceparent : undefined
}

export function eventAttributes({ id, type }: TracedEvent): SpanAttributes {
  return { 'tollgate.event.id': id, 'tollgate.event.type': type }
}
