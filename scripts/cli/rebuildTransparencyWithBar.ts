import { TransparencyFault } from '../../capabilities/transparency/sealing/fault.ts'
import { type RebuiltTransparency, rebuildTransparency } from '../../capabilities/transparency/sealing/rebuild.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import type { Engines } from '../../platform/engines.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { progressBar } from './progressBar.ts'

/** The name of the ledger's log among the read models. */
export const TRANSPARENCY_MODEL = 'ledger-log'

/** Rebuilds the ledger's log from the store, with a progress bar of `total` events. */
export async function rebuildTransparencyWithBar(
  { database, storeAsWritten: store }: Pick<Engines, 'database' | 'storeAsWritten'>,
  total: number,
): Promise<RebuiltTransparency> {
  const bar = progressBar(TRANSPARENCY_MODEL, total)
  const onProgress = (_position: string, read: number) => bar.update(read)
  try {
    return await rebuildTransparency({ database, store, clock: systemClock, ids: systemIds, onProgress })
  } catch (error) {
    if (!(error instanceof TransparencyFault)) throw error
    throw new Error(`the event store does not give the log that was signed: ${error.message}. The old log was kept`, {
      cause: error,
    })
  } finally {
    bar.end()
  }
}
