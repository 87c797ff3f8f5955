import { Client } from 'pg'
import type { HoldingProxy } from '../callers/holdingProxy.ts'
import { until } from '../time/until.ts'
import type { EventStoreNode } from './eventStoreNode/node.ts'

export type HeldLedger = {
  /** Resolves when an append waits: what led to it has happened. */
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
      // Of a session's own activity a transaction sees the first look only.
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

/** The same of a node: it takes appends, and stores and answers them when it is released, in their order. */
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

/** The same on the way to a server: appends wait in the proxy, and their clients give up as with a server that is busy. */
export function holdProxiedLedger(proxy: HoldingProxy): HeldLedger {
  proxy.hold()
  return {
    anAppendWaits: () => until('an append waits', () => proxy.held > 0).then(() => {}),
    release: async () => proxy.release(),
  }
}
