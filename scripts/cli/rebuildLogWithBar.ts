import { LogFault } from '../../capabilities/transparency/sealing/logFault.ts'
import { type RebuiltLog, rebuildLog } from '../../capabilities/transparency/sealing/rebuildLog.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import type { Engines } from '../../platform/engines.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { progressBar } from './progressBar.ts'

/** The name of the ledger's log among the read models. */
export const LOG_MODEL = 'ledger-log'

/** Rebuilds the ledger's log from the store, with a progress bar of `total` events. */
export async function rebuildLogWithBar(
  { database, storeAsWritten: store }: Pick<Engines, 'database' | 'storeAsWritten'>,
  total: number,
): Promise<RebuiltLog> {
  const bar = progressBar(LOG_MODEL, total)
  const onProgress = (_position: string, read: number) => bar.update(read)
  try {
    return await rebuildLog({ database, store, clock: systemClock, ids: systemIds, onProgress })
  } catch (error) {
    if (!(error instanceof LogFault)) throw error
    throw new Error(`the event store does not give the log that was signed: ${error.message}. The old log was kept`, {
      cause: error,
    })
  } finally {
    bar.end()
  }
}
