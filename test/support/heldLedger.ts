import { Client } from 'pg'
import { until } from './until.ts'

export type HeldLedger = {
  /** Resolves when an append waits for the lock: what led to it has happened. */
  anAppendWaits(): Promise<void>
  release(): Promise<void>
}

/** Lets nobody append until it is released: every append needs the row that counts positions. */
export async function holdLedger(databaseUrl: string): Promise<HeldLedger> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('select position from event_store.counter for update')
  let held = true
  return {
    anAppendWaits: async () => {
      // Of a session's own activity a transaction sees the first look only.
      const waiting = `select 1 from (select pg_stat_clear_snapshot()) as anew, pg_stat_activity
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
