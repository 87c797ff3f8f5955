import { CatchUpProgress } from '../../capabilities/readModels/catchUpProgress.ts'
import { percentOf } from '../../capabilities/readModels/readModelHealth.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import type { Log } from '../../platform/logger/logger.ts'
import type { PostgresDatabase } from '../../platform/postgres/database.ts'
import { type CatchUpOptions, catchUpTogether } from '../../projections/runner/catchUp.ts'

const RETRY_DELAY_MS = 1_000
/** After that, each model has its own runner, which retries for as long as it takes without disturbing others. */
const ATTEMPTS_MAX = 5
const REPORT_EVERY_MS = 5_000

type Options = CatchUpOptions & { readonly database: PostgresDatabase; readonly source: TypedEventStore }

/** Lets models that are far behind catch up together, even across database restarts, and logs the progress. */
export async function catchUpPersistently(
  options: Options,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<void> {
  const { database, source, signal } = options
  const progress = new CatchUpProgress({ database, store: source, usesKafka: false }, clock)
  const report = async () => {
    const { behind, done, secondsLeft } = await progress.read()
    if (behind.length === 0) return
    log.info({ percent: percentOf(done), secondsLeft, readModels: behind }, 'read models are catching up')
  }
  const reports = clock.every(REPORT_EVERY_MS, () => void report().catch(() => {}))
  try {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX && !signal.aborted; attempt++) {
      try {
        return await catchUpTogether(options)
      } catch (error) {
        log.warn({ err: error }, 'read models cannot catch up together, retrying')
        await clock.delay(RETRY_DELAY_MS, signal)
      }
    }
  } finally {
    reports.cancel()
  }
}
