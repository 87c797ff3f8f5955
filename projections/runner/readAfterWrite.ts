import { BEGINNING, type Position } from '../../contracts/position.ts'
import { readCheckpoint } from './checkpoints.ts'
import type { Sql } from './ports.ts'
import type { RunnerOptions } from './runnerOptions.ts'

const WAIT_MS_MAX = 2_000
const POLL_MS = 10
/** A model that lags is asked less and less often: many waiting requests would slow it down further. */
const POLL_MS_MAX = 100

/**
 * Waits until the read model has passed the position; returns false if it has not within two seconds. To wait for one
 * event, pass its partition: other partitions learn of foreign positions only from time to time.
 */
export async function hasPassed(
  sql: Sql,
  projection: string,
  position: Position,
  clock: RunnerOptions['clock'],
  partition?: string,
): Promise<boolean> {
  const until = clock.now() + WAIT_MS_MAX
  for (let pauseMs = POLL_MS; ; pauseMs = Math.min(2 * pauseMs, POLL_MS_MAX)) {
    const positions = (await readCheckpoint(sql, projection))?.positions ?? {}
    const awaited = partition === undefined ? Object.values(positions) : [positions[partition] ?? BEGINNING]
    if (awaited.length > 0 && awaited.every((reached) => reached >= position)) return true
    const leftMs = until - clock.now()
    if (leftMs <= 0) return false
    await clock.delay(Math.min(pauseMs, leftMs))
  }
}
