import { Counter, Gauge } from 'prom-client'
import { readFault } from '../../../capabilities/transparency/faults.ts'
import { latestCheckpoint } from '../../../capabilities/transparency/reader.ts'
import { scrubAgeSeconds } from '../../../capabilities/transparency/sealing/scrubTable.ts'
import { readProgress } from '../../../capabilities/transparency/sealing/tables.ts'
import type { Position } from '../../../contracts/position.ts'
import type { Engines } from '../../../platform/engines.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { SealedState } from './sealEntries.ts'

/** The figures of the log are read from its tables, so that every reactor has them, also one that does not lead. */
export function sealerFigures(
  metrics: Metrics,
  { database, storeAsWritten: store }: Pick<Engines, 'database' | 'storeAsWritten'>,
) {
  let reached: Position | null = null
  const registers = [metrics]
  const leads = new Gauge({ name: 'tollgate_sealer_leads', help: '1 for the sealer that seals the log', registers })
  leads.set(0)
  const sealed = new Counter({
    name: 'tollgate_sealer_entries_total',
    help: 'Entries that this sealer added',
    registers,
  })
  // Other metrics show that the database or the store is not reachable.
  const figure = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = await read().catch(() => null)
        if (value !== null) this.set(value)
      },
    })
  figure('tollgate_log_size', 'Entries of the transparency log', async () => (await readProgress(database)).size)
  figure(
    'tollgate_log_checkpoint_size',
    'Entries that the latest checkpoint covers',
    async () => (await latestCheckpoint(database))?.size ?? 0,
  )
  figure(
    'tollgate_log_fault',
    '1 if the event store no longer matches the log, or a receipt did not verify',
    async () => ((await readFault(database))?.isDifference ? 1 : 0),
  )
  figure(
    'tollgate_log_scrub_age_seconds',
    'Seconds since the last whole scrub of the log finished; before the first one, since the log was set up',
    () => scrubAgeSeconds(database),
  )
  figure(
    'tollgate_sealer_lag_events',
    'Events of any kind that this sealer has not read; 0 for one that has never led',
    async () => (reached === null ? 0 : store.eventsAfter(reached)),
  )
  return {
    leads,
    sealed: ({ position, entries }: SealedState) => {
      reached = position
      sealed.inc(entries)
    },
  }
}
