import { withEdits } from './byteEdits.ts'
import { findMembers } from './jsonMembers.ts'
import type { SseEvent } from './sseEvents.ts'

/** A provider's JSON answer with the alias as its top-level `model`; every other byte stays. */
export function withModelAlias(json: Buffer, alias: string): Buffer {
  const models = findMembers(json, 'model')
  if (models.length === 0) return json
  const text = JSON.stringify(alias)
  return withEdits(
    json,
    models.map(({ valueStart, valueEnd }) => ({ start: valueStart, end: valueEnd, text })),
  )
}

/** The raw bytes of a stream's event, with the same edit made inside its payload. */
export function withStreamModelAlias(event: SseEvent, alias: string): Buffer {
  if (event.data === null) return event.raw
  const models = findMembers(event.data, 'model')
  if (models.length === 0) return event.raw
  const text = JSON.stringify(alias)
  return withEdits(
    event.raw,
    models.map(({ valueStart, valueEnd }) => ({
      start: rawOffset(event, valueStart),
      end: rawOffset(event, valueEnd),
      text,
    })),
  )
}

function rawOffset(event: SseEvent, dataOffset: number): number {
  let rest = dataOffset
  for (const { start, end } of event.dataLines) {
    if (rest <= end - start) return start + rest
    rest -= end - start + 1
  }
  throw new RangeError(`Offset ${dataOffset} lies outside the event's data`)
}
