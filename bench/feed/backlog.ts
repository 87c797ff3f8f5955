import type { Engines } from '../../platform/engines.ts'
import { EVENTS_PER_APPEND_MAX } from '../../platform/eventStore/eventGuard.ts'
import { aCharge } from '../benchDatabase.ts'
import type { Company } from './companies.ts'
import type { Running } from './feedInstallation.ts'
import { RowsWatch } from './rowsWatch.ts'

export const BACKLOG_EVENTS = 64_000
/** While the first events arrive, processes start and join their groups; the rate covers the other events. */
const STARTING_EVENTS = BACKLOG_EVENTS / 4

const SELECT = `select position, stream, revision, event_id, type, data, metadata, recorded_at
  from event_store.events order by position desc limit $1`

/** How many of them were in all read models at which time. */
export type Seen = { readonly events: number; readonly atMs: number }
export type Backlog = { readonly watch: RowsWatch; readonly seen: readonly Seen[] }

/** Appends charges of all companies in turn, in the largest possible appends, while no consumer runs. */
export async function appendBacklog(
  { store, database, feed }: Engines,
  companies: readonly Company[],
): Promise<Backlog> {
  const events = EVENTS_PER_APPEND_MAX
  const watch = new RowsWatch({ database, feed })
  const seen: Seen[] = []
  const append = async (company: Company, n: number) => {
    const charges = Array.from({ length: events }, (_, i) => aCharge(company.id, company.keyId, n + i))
    const { position } = await store.append(company.stream, 'any', charges)
    watch.expect(company.stream, position, (atMs) => seen.push({ events, atMs }))
  }
  for (let n = 0; n < BACKLOG_EVENTS; n += events * companies.length) {
    await Promise.all(companies.map((company, i) => append(company, n + i * events)))
  }
  await database.query('vacuum analyze event_store.events')
  return { watch, seen }
}

/** Events per second until the whole backlog is in all read models. */
export async function drain({ watch, seen }: Backlog, start: () => Promise<Running>): Promise<number> {
  const starting = start()
  await watch.during(starting)
  await (await starting).stop()
  return rateAfter(STARTING_EVENTS, seen)
}

/** Events per second after the poll that found the first of them, because their own time is unknown. */
export function rateAfter(startingEvents: number, seen: readonly Seen[]): number {
  let started = 0
  let measured = 0
  let fromMs = 0
  for (const { events, atMs } of seen) {
    if (started < startingEvents || atMs === fromMs) {
      started += events
      fromMs = atMs
    } else {
      measured += events
    }
  }
  return (measured * 1000) / ((seen.at(-1)?.atMs ?? 0) - fromMs)
}

/** Events per second of a bare SELECT of the same rows, which is also the reference for rebuilds in `npm run bench`. */
export async function selectRate({ database }: Engines): Promise<number> {
  const beganMs = performance.now()
  const rows = await database.query(SELECT, [BACKLOG_EVENTS])
  if (rows.length !== BACKLOG_EVENTS) throw new Error(`read ${rows.length} events of ${BACKLOG_EVENTS}`)
  return (BACKLOG_EVENTS * 1000) / (performance.now() - beganMs)
}

/** Checks that the work was done: every charge has a transaction. */
export async function requireAllRows({ database }: Engines): Promise<void> {
  const [row] = await database.query<{ events: string; rows: string }>(
    `select (select count(*) from event_store.events) as events,
            (select count(*) from read_models.credit_transactions) as rows`,
  )
  if (row?.events !== row?.rows) throw new Error(`${row?.events} charges made ${row?.rows} transactions`)
}
