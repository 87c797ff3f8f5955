import { Client } from 'pg'
import type { HoldingProxy } from '../callers/holdingProxy.ts'
import { until } from '../time/until.ts'
import type { EventStoreNode } from './eventStoreNode/node.ts'

export type HeldLedger = {
  /** Resolves when an append is waiting, so everything before it has happened. */
  anAppendWaits(): Promise<void>
  release(): Promise<void>
}

/** Blocks every append until it is released: each one needs the row that counts positions. */
export async function holdPostgresLedger(databaseUrl: string): Promise<HeldLedger> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('select position from event_store.counter for update')
  let held = true
  return {
    anAppendWaits: async () => {
      // Within a transaction, pg_stat_activity does not change after its first read.
      const waiting = `select 1 from (select pg_stat_clear_snapshot()) as fresh_snapshot, pg_stat_activity
        where datname = current_database() and application_name = 'tollgate appends' and wait_event_type = 'Lock'`
      await until('an append waits', async () => ((await client.query(waiting)).rowCount ?? 0) > 0)
    },
    release: async () => {
      if (!held) return
      held = false
      await client.query('rollback')
      await client.end()
    },
  }
}

/** The same for a fake node: it accepts appends, and stores and answers them in order when released. */
export function holdNodeLedger({ faults }: EventStoreNode): HeldLedger {
  faults.arm({ fault: 'holdAppend', every: 1 })
  let held = true
  return {
    anAppendWaits: () => until('an append waits', () => faults.held.length > 0).then(() => {}),
    release: async () => {
      if (!held) return
      held = false
      faults.disarm()
      faults.release()
    },
  }
}

/** The same with a proxy: appends wait in it, and clients time out as with a busy server. */
export function holdProxiedLedger(proxy: HoldingProxy): HeldLedger {
  proxy.hold()
  return {
    anAppendWaits: () => until('an append waits', () => proxy.held > 0).then(() => {}),
    release: async () => proxy.release(),
  }
}
