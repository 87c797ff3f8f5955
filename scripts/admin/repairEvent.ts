import { createHash } from 'node:crypto'
import { REPAIRS_STREAM } from '../../contracts/streams.ts'
import { isUuid } from '../../contracts/uuid.ts'
import { isoTime, systemClock } from '../../platform/clock/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { newEvent } from '../../platform/eventStore/eventCodec.ts'
import { EVENT_COLUMNS, type EventRow, recordedEvent } from '../../platform/eventStore/postgres/eventPages.ts'
import { numberOf } from '../../platform/eventStore/postgres/positionNumber.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import type { PostgresDatabase } from '../../platform/postgres/database.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import { readBackup } from '../backup/readBackup.ts'
import { type SavedEvent, savedEvent } from '../backup/savedEvent.ts'
import { WrongUsage } from '../cli/command.ts'
import { withInstallation } from '../cli/withInstallation.ts'

export type RepairOptions = {
  readonly id?: string | undefined
  readonly backup?: string | undefined
  readonly reason?: string | undefined
  readonly json?: boolean | undefined
}

export type Repair = {
  readonly eventId: string
  readonly stream: string
  readonly revision: number
  readonly found: 'changed' | 'removed' | 'as saved'
}

/** Appends wait behind a repair, so it gives up soon if a long-running reader holds the table. */
const LOCK_TIMEOUT_MS = 3_000

export async function repairEvent({ id, backup, reason = '', json }: RepairOptions): Promise<number> {
  if (id === undefined || !isUuid(id)) throw new WrongUsage('--id takes the id of an event')
  if (backup === undefined) throw new WrongUsage('--backup takes a backup that holds the event')
  if (reason.trim() === '') throw new WrongUsage('--reason is missing: it is stored with the repair')
  if (readConfig(process.env).EVENTSTORE_URL !== undefined) {
    throw new Error('EventStoreDB has no command that changes an event: restore a backup into another store instead')
  }
  const saved = await savedEventOf(backup, id)
  const repair = await withInstallation(({ database }) => putBack(database, saved, reason.trim()))
  const { stream, revision, found } = repair
  if (json) process.stdout.write(`${JSON.stringify(repair, null, 2)}\n`)
  else if (found === 'as saved')
    process.stdout.write(`Event ${id} is stored as the backup holds it. Nothing was changed.\n`)
  else {
    process.stdout.write(
      `Event ${id}, revision ${revision} of ${stream}, was ${found} and is put back. ` +
        'Run "npm run rebuild -- ledger-log" and "npm run audit -- --log --full".\n',
    )
  }
  return 0
}

/** Reads the whole file, because damage may show only at its end. */
async function savedEventOf(file: string, id: string): Promise<SavedEvent> {
  let found: SavedEvent | null = null
  for await (const page of readBackup(file)) found ??= page.find(({ event }) => event.id === id)?.event ?? null
  if (found === null) throw new Error(`${file} holds no event ${id}`)
  return found
}

/** Only the owner of the table may disable the triggers that refuse changes. Repair and event are one transaction. */
export async function putBack(database: PostgresDatabase, saved: SavedEvent, reason: string): Promise<Repair> {
  return database.transaction(async (sql) => {
    const [row] = await sql.query<EventRow>(
      `select ${EVENT_COLUMNS} from event_store.events where event_id = $1 and stream = $2`,
      [saved.id, saved.stream],
    )
    const stored = row ? savedEvent(recordedEvent(row)) : null
    const { id: eventId, stream, revision } = saved
    if (stored && hashOf(stored) === hashOf(saved)) return { eventId, stream, revision, found: 'as saved' }
    const found = stored ? 'changed' : 'removed'
    await sql.query(`set local lock_timeout to ${LOCK_TIMEOUT_MS}`)
    // Comes first, because it locks the counter like every append: then no append waits for the table while this does.
    await recordRepair(sql, {
      ...{ eventId, stream, revision, found },
      ...{ foundHash: stored && hashOf(stored), repairedHash: hashOf(saved), reason },
    })
    await sql.query('alter table event_store.events disable trigger events_stay')
    await writeRow(sql, saved, stored !== null)
    await sql.query('alter table event_store.events enable always trigger events_stay')
    return { eventId, stream, revision, found }
  })
}

async function recordRepair(sql: Sql, facts: object): Promise<void> {
  const id = systemIds.uuid()
  const data = { ...facts, repairedAt: isoTime(systemClock.now()) }
  const cause = { correlationId: id, causationId: id, actor: { kind: 'system', name: 'repair' } } as const
  const event = newEvent(id, { type: 'EventRepaired', data }, cause)
  await sql.query("select event_store.append_one($1, -2, $2, $3, $4, $5, clock_timestamp() + interval '1 minute')", [
    REPAIRS_STREAM,
    id,
    event.type,
    JSON.stringify(event.data),
    JSON.stringify(event.metadata),
  ])
}

async function writeRow(sql: Sql, saved: SavedEvent, exists: boolean): Promise<void> {
  const { id, stream, revision, type, recordedAt } = saved
  // An event that was restored before has its log index and its original time in the metadata.
  const metadata = saved.metadata.logIndex === undefined ? saved.metadata : { ...saved.metadata, recordedAt }
  const values = [
    numberOf(saved.position),
    revision,
    id,
    recordedAt,
    stream,
    type,
    saved.dataText ?? JSON.stringify(saved.data),
    JSON.stringify(metadata),
  ]
  const written = await sql.query(
    exists
      ? `update event_store.events set position = $1, revision = $2, recorded_at = $4, type = $6, data = $7, metadata = $8
         where event_id = $3 and stream = $5 returning 1`
      : `insert into event_store.events (position, stream_no, revision, event_id, recorded_at, stream, type, data, metadata)
         select $1, stream_no, $2, $3, $4, $5, $6, $7, $8 from event_store.streams where stream = $5 returning 1`,
    values,
  )
  if (written.length !== 1) throw new Error(`the store has no stream ${stream}, so event ${id} cannot be put back`)
}

function hashOf({ stream, revision, id, type, data, metadata, recordedAt, position }: SavedEvent): string {
  const text = canonical([stream, revision, id, type, data, metadata, recordedAt, position])
  return createHash('sha256').update(text).digest('hex')
}

/** Equal values give the same text, whatever the order of their keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
