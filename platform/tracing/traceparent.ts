/** What a `traceparent` of W3C Trace Context says. */
export type TraceParent = { readonly traceId: string; readonly spanId: string; readonly flags: number }

/** Versions after 00 may add fields at the end, which are ignored. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const LENGTH_MAX = 256
const NO_TRACE = '0'.repeat(32)
const NO_SPAN = '0'.repeat(16)

/** Null for anything that the specification calls invalid; the request then starts a trace of its own. */
export function parseTraceparent(text: string): TraceParent | null {
  const found = text.length <= LENGTH_MAX ? TRACEPARENT.exec(text) : null
  if (!found) return null
  const [, version = '', traceId = '', spanId = '', flags = '', more] = found
  if (version === 'ff' || (version === '00' && more !== undefined)) return null
  if (traceId === NO_TRACE || spanId === NO_SPAN) return null
  return { traceId, spanId, flags: Number.parseInt(flags, 16) }
}
