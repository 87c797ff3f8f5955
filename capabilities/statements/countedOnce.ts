import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { Sql } from '../../projections/runner/ports.ts'

/** How many events are looked up together. */
const PAGE_EVENTS = 500
/** If the store holds an event twice, the second copy follows within this many entries. */
export const REPEATED_WITHIN_ENTRIES = 100

/**
 * Skips events that a store holds a second time: the log has each id once, at its first revision. Events that are not
 * in the log yet are compared with each other, and with those before the first one, whose ids are given.
 */
export async function* countedOnce<Event extends Pick<RecordedEvent, 'id' | 'revision'>>(
  database: Sql,
  companyId: string,
  events: AsyncIterable<Event>,
  idsBefore: Iterable<string> = [],
): AsyncIterable<Event> {
  const unsealed = new Set<string>(idsBefore)
  let page: Event[] = []
  for await (const event of events) {
    page.push(event)
    if (page.length < PAGE_EVENTS) continue
    yield* await firstOnes(database, companyId, page, unsealed)
    page = []
  }
  yield* await firstOnes(database, companyId, page, unsealed)
}

async function firstOnes<Event extends Pick<RecordedEvent, 'id' | 'revision'>>(
  database: Sql,
  companyId: string,
  page: readonly Event[],
  unsealed: Set<string>,
): Promise<Event[]> {
  if (page.length === 0) return []
  const rows = await database.query<{ eventId: string; revision: string }>(
    'select event_id, revision from ledger_log.entries where company_id = $1 and event_id = any($2::uuid[])',
    [companyId, page.map(({ id }) => id)],
  )
  const sealedAt = new Map(rows.map((row) => [row.eventId, Number(row.revision)]))
  return page.filter(({ id, revision }) => {
    const first = sealedAt.get(id)
    if (first !== undefined) return first === revision
    if (unsealed.has(id)) return false
    unsealed.add(id)
    return true
  })
}
