import type { PostgresDatabase } from '../../platform/postgres/database.ts'
import type { BenchFolder } from '../feed/benchFolder.ts'
import { median, plainFigure } from '../figure.ts'
import { startHelper } from '../gateway/benchProcess.ts'
import { type CallCpu, measureCallCpu, openRunning, PARTS } from './callCpu.ts'
import type { Growth } from './rounds.ts'
import type { Stack } from './stacks.ts'

const CALLS = 4_000
const ROUNDS = 5

/** What a call costs each part of an installation, from its request until it is projected and sealed; bytes per event. */
export async function measureCosts(folder: BenchFolder, stacks: readonly Stack[]): Promise<Growth[]> {
  const load = await startHelper(folder, 'countedLoad.ts')
  const figures: Growth[] = []
  for (const stack of stacks) {
    const running = await openRunning(stack.dataDir, stack.pid, stack.chat)
    const { database } = running
    try {
      const rounds: CallCpu[] = []
      for (let round = -1; round < ROUNDS; round++) {
        const costs = await measureCallCpu(load, running, CALLS)
        if (round >= 0) rounds.push(costs)
      }
      const of = (name: string, unit: string, value: number): Growth => {
        const label = `${name} with ${stack.events.toLocaleString('en')} events`
        return { ...plainFigure(label, unit, value), part: 'costs', events: stack.events }
      }
      for (const part of PARTS) {
        figures.push(of(`CPU time of a call: ${part}`, 'µs', median(rounds.map((costs) => costs[part] ?? 0))))
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
