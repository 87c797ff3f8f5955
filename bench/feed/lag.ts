import type { Engines } from '../../platform/engines.ts'
import { companiesOn } from './companies.ts'
import { RowsWatch } from './rowsWatch.ts'
import { appendSteadily } from './steadyAppends.ts'

const WARM_UP_MS = 3_000
const BARE_MS = 10_000
const MEASURE_MS = 20_000
/** All partitions of the ledger's topic. */
const PARTITIONS = 4

export type Lags = {
  /** From an append's due time to its acknowledgement, in milliseconds. */
  readonly appends: readonly number[]
  /** From an append's due time until its rows are visible: a reader also waits for the append. */
  readonly rows: readonly number[]
}

/** Appends without consumers: the reference for the lag. */
export async function measureBareAppends({ store }: Engines): Promise<number[]> {
  const companies = companiesOn(PARTITIONS)
  const appends: number[] = []
  await appendSteadily(store, companies, WARM_UP_MS, () => {})
  await appendSteadily(store, companies, BARE_MS, ({ dueMs, acknowledgedMs }) => appends.push(acknowledgedMs - dueMs))
  return appends
}

/** With all processes running that build the read models. */
export async function measureLags(engines: Engines): Promise<Lags> {
  const companies = companiesOn(PARTITIONS)
  const watch = new RowsWatch(engines)
  const { store } = engines
  // The warm-up ends when its rows are visible, so that earlier appends are not part of the lag.
  await watch.during(
    appendSteadily(store, companies, WARM_UP_MS, ({ stream, position }) => watch.expect(stream, position)),
  )
  const appends: number[] = []
  const rows: number[] = []
  await watch.during(
    appendSteadily(store, companies, MEASURE_MS, ({ stream, position, dueMs, acknowledgedMs }) => {
      appends.push(acknowledgedMs - dueMs)
      watch.expect(stream, position, (atMs) => rows.push(atMs - dueMs))
    }),
  )
  return { appends, rows }
}
