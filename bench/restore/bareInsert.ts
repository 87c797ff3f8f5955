import type { RecordedEvent } from '../../contracts/envelope.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { numberOf } from '../../platform/eventStore/postgres/positionNumber.ts'
import type { Database } from '../../projections/runner/ports.ts'
import { restoredEvent, savedEvent } from '../../scripts/backup/savedEvent.ts'
import { RESTORE_BATCH_EVENTS_MAX } from '../../scripts/restore/batches.ts'
import { pastEvents } from './pastBackup.ts'

const SEPARATOR = '\x1e'

const INSERT = `
  insert into bench.events (position, stream_no, revision, event_id, recorded_at, stream, type, data, metadata)
  select e.* from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::uuid[], $5::timestamptz[],
    string_to_array($6, E'\\x1e'), string_to_array($7, E'\\x1e'),
    string_to_array($8, E'\\x1e')::json[], string_to_array($9, E'\\x1e')::json[]) as e`

/**
 * Inserts the rows that a restore of these events stores, the same number per transaction, into a table with the same
 * columns and indexes. Returns how many milliseconds the statements took; the parameters are prepared beforehand.
 */
export async function bareInsert(database: Database, events: number): Promise<number> {
  await database.query('drop schema if exists bench cascade')
  await database.query('create schema bench')
  await database.query('create table bench.events (like event_store.events including all)')
  const streams = new Map<string, number>()
  let tookMs = 0
  for (const batch of batchesOf(pastEvents(events))) {
    const parameters = parametersOf(batch, streams)
    const beganMs = systemClock.monotonicMs()
    await database.query(INSERT, parameters)
    tookMs += systemClock.monotonicMs() - beganMs
  }
  await database.query('drop schema bench cascade')
  return tookMs
}

function* batchesOf(events: Iterable<RecordedEvent>): Iterable<RecordedEvent[]> {
  let batch: RecordedEvent[] = []
  for (const event of events) {
    batch.push(event)
    if (batch.length < RESTORE_BATCH_EVENTS_MAX) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function parametersOf(batch: readonly RecordedEvent[], streams: Map<string, number>): unknown[] {
  const array = (items: readonly (number | string)[]) => `{${items.join(',')}}`
  const numberOfStream = ({ stream }: RecordedEvent) => {
    if (!streams.has(stream)) streams.set(stream, streams.size + 1)
    return streams.get(stream) ?? 0
  }
  const rows = batch.map((event) => restoredEvent(savedEvent(event)))
  return [
    array(batch.map(({ position }) => numberOf(position))),
    array(batch.map(numberOfStream)),
    array(batch.map(({ revision }) => revision)),
    array(batch.map(({ id }) => id)),
    array(batch.map(({ recordedAt }) => recordedAt)),
    batch.map(({ stream }) => stream).join(SEPARATOR),
    batch.map(({ type }) => type).join(SEPARATOR),
    rows.map(({ data }) => JSON.stringify(data)).join(SEPARATOR),
    rows.map(({ metadata }) => JSON.stringify(metadata)).join(SEPARATOR),
  ]
}
