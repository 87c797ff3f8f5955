import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { ExpectedRevision } from '../port.ts'
import type { WaitingAppend } from './groupCommit.ts'
import { positionOf } from './positionNumber.ts'

/** Separates the texts of a column. JSON never contains it unescaped. */
const SEPARATOR = '\x1e'

/** A batch of appends in columns. Data and metadata are already JSON and are only joined, so nothing is encoded twice. */
export type BatchColumns = {
  readonly streams: readonly string[]
  readonly counts: readonly number[]
  readonly expected: readonly number[]
  readonly appendNos: readonly number[]
  /** For each event, the index of its stream in `streams`, and its number among the events of that stream, from 1. */
  readonly streamIxs: readonly number[]
  readonly nths: readonly number[]
  readonly ids: readonly string[]
  readonly types: string
  readonly data: string
  readonly metadata: string
}

/** Where a batch was stored: right after this position and these revisions of its streams. */
export type StoredAt = { readonly position: number; readonly revisions: readonly number[]; readonly recordedAt: string }

/** A batch that was stored as a whole, in a form that is cheap to send to another thread. */
export type StoredColumns = StoredAt & Omit<BatchColumns, 'counts' | 'expected' | 'appendNos'>

export function columnsOf(batch: readonly WaitingAppend[]): BatchColumns {
  const places = new Map<string, number>()
  const counts: number[] = []
  const expected: number[] = []
  const appendNos: number[] = []
  const streamIxs: number[] = []
  const nths: number[] = []
  const ids: string[] = []
  const types: string[] = []
  const data: string[] = []
  const metadata: string[] = []
  batch.forEach((append, appendNo) => {
    let ix = places.get(append.stream)
    if (ix === undefined) {
      ix = places.size
      places.set(append.stream, ix)
      counts.push(0)
      expected.push(expectedNumber(append.expected))
    }
    let nth = counts[ix] ?? 0
    for (const event of append.events) {
      appendNos.push(appendNo)
      streamIxs.push(ix)
      nths.push(++nth)
      ids.push(event.id)
      types.push(event.type)
      data.push(event.data)
      metadata.push(event.metadata)
    }
    counts[ix] = nth
  })
  return {
    streams: [...places.keys()],
    counts,
    expected,
    appendNos,
    streamIxs,
    nths,
    ids,
    types: types.join(SEPARATOR),
    data: data.join(SEPARATOR),
    metadata: metadata.join(SEPARATOR),
  }
}

/** -2 stands for any and -1 for none, as in append_batch. */
export function expectedNumber(expected: ExpectedRevision): number {
  if (expected === 'any') return -2
  return expected === 'none' ? -1 : expected
}

/** The arguments of append_batch of migration 0020, up to the deadline. */
export function parametersOf(columns: BatchColumns): unknown[] {
  const { streams, counts, expected, appendNos, streamIxs, nths, ids, types, data, metadata } = columns
  const numbers = [counts, expected, appendNos, streamIxs.map((ix) => ix + 1), nths, ids]
  return [streams, ...numbers.map(arrayText), types, data, metadata]
}

/** A PostgreSQL array literal. Numbers and ids need no escaping. */
function arrayText(items: readonly (number | string)[]): string {
  return `{${items.join(',')}}`
}

export function storedColumns(columns: BatchColumns, at: StoredAt): StoredColumns {
  const { streams, streamIxs, nths, ids, types, data, metadata } = columns
  return { ...at, streams, streamIxs, nths, ids, types, data, metadata }
}

/** The events of a batch that this thread stored, as a reader of the store sees them. */
export function ownEvents(batch: readonly WaitingAppend[], columns: BatchColumns, at: StoredAt): RecordedEvent[] {
  let n = 0
  return batch.flatMap(({ events }) => events.map(({ source }) => ({ ...source, ...placeOf(columns, at, n++) })))
}

/** The events of a batch that another thread stored. */
export function eventsOf(stored: StoredColumns): RecordedEvent[] {
  const [types, data, metadata] = [stored.types, stored.data, stored.metadata].map((texts) => texts.split(SEPARATOR))
  return stored.ids.map((id, n) => ({
    id,
    type: types?.[n] ?? '',
    data: JSON.parse(data?.[n] ?? ''),
    metadata: JSON.parse(metadata?.[n] ?? ''),
    ...placeOf(stored, stored, n),
  }))
}

function placeOf(
  { streams, streamIxs, nths }: Pick<BatchColumns, 'streams' | 'streamIxs' | 'nths'>,
  at: StoredAt,
  n: number,
) {
  const ix = streamIxs[n] ?? 0
  return {
    stream: streams[ix] ?? '',
    revision: (at.revisions[ix] ?? -1) + (nths[n] ?? 0),
    position: positionOf(at.position + n + 1),
    recordedAt: at.recordedAt,
  }
}
