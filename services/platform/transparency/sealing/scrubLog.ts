import { BEGINNING } from '../../../../contracts/position.ts'
import type { Sql } from '../../../../projections/runner/ports.ts'
import type { Clock } from '../../clock/clock.ts'
import type { EventStore } from '../../eventStore/port.ts'
import { GrowingTree } from '../growingTree.ts'
import { readEntries } from '../logReader.ts'
import { compareWithLog } from './compareLog.ts'
import { LogBuilder, SEALED_CATEGORIES } from './logBuilder.ts'
import { LogFault } from './logFault.ts'
import { LIVE_LOG, readProgress } from './logTables.ts'

const SCRUB_PAGE_EVENTS = 1_000
/** The share of the time that a scrub works. In the rest of it calls have the processor and the database. */
const SCRUB_TIME_SHARE = 0.02

export type ScrubOptions = {
  readonly sql: Sql
  /** Without upcasting. */
  readonly store: EventStore
  readonly clock: Clock
  /** 1: as fast as possible. */
  readonly timeShare?: number
}

/** Reads the store from its beginning and compares each event with its entry. Throws a LogFault at the first difference. */
export async function scrubLog(options: ScrubOptions, signal: AbortSignal): Promise<{ readonly entries: number }> {
  const { sql, store, clock, timeShare = SCRUB_TIME_SHARE } = options
  const { size } = await readProgress(sql)
  const head = await store.head()
  const tree = new GrowingTree()
  const builder = new LogBuilder({ schema: LIVE_LOG, tree, idsAreUnique: store.idsAreUnique, createsSecrets: false })
  let position = BEGINNING
  let fault: LogFault | null = null
  while (tree.size < size && !signal.aborted) {
    const beganMs = clock.monotonicMs()
    const page = await store.readAll({ after: position, categories: SEALED_CATEGORIES, limit: SCRUB_PAGE_EVENTS })
    if (page.position === position) break
    const addition = await builder.add(sql, page, position, page.position >= head)
    await compareWithLog(sql, store, addition, size)
    position = page.position
    fault ??= addition.fault
    const restMs = (clock.monotonicMs() - beganMs) * (1 / timeShare - 1)
    if (restMs > 0) await clock.delay(restMs, signal)
  }
  if (tree.size < size && !signal.aborted) {
    const [missing] = await readEntries(sql, tree.size, 1)
    const id = missing?.eventId ?? null
    throw new LogFault(`event ${id}, entry ${tree.size} of the log, was removed from the store`, id)
  }
  if (fault) throw fault
  return { entries: tree.size }
}
