import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase, type PostgresDatabase } from '../../../services/platform/postgres/database.ts'
import { findEmbeddedPostgres } from '../../../services/platform/postgres/embedded/embeddedPostgres.ts'
import type { BenchFolder } from '../feed/benchFolder.ts'
import { median, plainFigure } from '../figure.ts'
import { answerTo, startHelper } from '../gateway/benchProcess.ts'
import type { CountedLoad, CountedResult } from '../processes/countedLoad.ts'
import { cpuMicros } from './processCpu.ts'
import type { Growth } from './rounds.ts'
import type { Stack } from './stacks.ts'

const CONNECTIONS = 32
const CALLS = 4_000
const ROUNDS = 5
const LOOK_EVERY_MS = 50
/** How `npm start` uses its threads. */
const THREADS = {
  MainThread: 'gateway',
  WorkerThread: 'projector and sealer',
  V8Worker: "V8's own threads",
} as const

/** What a call costs each part of an installation, from its request until it is projected and sealed; bytes of an event. */
export async function measureCosts(folder: BenchFolder, stacks: readonly Stack[]): Promise<Growth[]> {
  const load = await startHelper(folder, 'countedLoad.ts')
  const figures: Growth[] = []
  for (const stack of stacks) {
    const postgres = await findEmbeddedPostgres(stack.dataDir)
    if (!postgres) throw new Error(`no database runs in ${stack.dataDir}`)
    const database = openDatabase({ url: postgres.url, connectionsMax: 1 })
    try {
      const rounds: Record<string, number>[] = []
      for (let round = -1; round < ROUNDS; round++) {
        const before = await cpuMicros(stack.pid, postgres.pid)
        const counted: CountedLoad = { ...stack.chat, connections: CONNECTIONS, calls: CALLS }
        const { failures } = await answerTo<CountedResult>(load, counted)
        if (failures > 0) throw new Error(`${failures} calls failed`)
        await untilSealed(database)
        const after = await cpuMicros(stack.pid, postgres.pid)
        const costs: Record<string, number> = { PostgreSQL: (after.postgres - before.postgres) / CALLS }
        for (const [thread, what] of Object.entries(THREADS)) {
          costs[what] = ((after.byThread[thread] ?? 0) - (before.byThread[thread] ?? 0)) / CALLS
        }
        if (round >= 0) rounds.push(costs)
      }
      const of = (name: string, unit: string, value: number): Growth => {
        const label = `${name} with ${stack.events.toLocaleString('en')} events`
        return { ...plainFigure(label, unit, value), part: 'costs', events: stack.events }
      }
      for (const what of Object.keys(rounds[0] ?? {})) {
        figures.push(of(`CPU time of a call: ${what}`, 'µs', median(rounds.map((costs) => costs[what] ?? 0))))
      }
      for (const [what, bytes] of Object.entries(await bytesOf(database))) {
        figures.push(of(`bytes of an event: ${what}`, 'bytes', bytes))
      }
    } finally {
      await database.close()
    }
  }
  return figures
}

/** Also projected then: a model that is behind would do its work in the next round. */
async function untilSealed(database: PostgresDatabase): Promise<void> {
  for (;;) {
    const [row] = await database.query<{ left: string }>(
      `select (select sum(revision + 1) from event_store.streams where stream like 'ledger-%')
         - (select size from ledger_log.progress)
         + (select max(position) from event_store.events where stream like 'ledger-%')
         - (select min(position)::bigint from read_models.checkpoints where projection = 'usage') as left`,
    )
    if (Number(row?.left) <= 0) return
    await delay(LOOK_EVERY_MS)
  }
}

async function bytesOf(database: PostgresDatabase): Promise<Record<string, number>> {
  const [row] = await database.query<Record<string, string>>(
    `with sizes as (
       select n.nspname as schema, sum(pg_total_relation_size(c.oid)) as bytes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' group by 1),
     events as (select position as count from event_store.counter)
     select (select bytes from sizes where schema = 'event_store') / count as store,
       (select bytes from sizes where schema = 'read_models') / count as models,
       (select bytes from sizes where schema = 'ledger_log') / count as log,
       (select avg(length(data::text) + length(metadata::text)) from
         (select data, metadata from event_store.events where type = 'CallCharged' order by position desc limit 1000) as newest)
         as json
     from events`,
  )
  return {
    'in the event store': Number(row?.store),
    'in the read models': Number(row?.models),
    "in the ledger's log": Number(row?.log),
    'data and metadata as JSON': Number(row?.json),
  }
}
