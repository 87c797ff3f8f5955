import { BEGINNING, type Position } from '../../contracts/position.ts'
import { readCheckpoint } from './checkpoints.ts'
import type { Sql } from './ports.ts'
import type { RunnerOptions } from './runnerOptions.ts'

const WAIT_MS_MAX = 2_000
const LOOK_EVERY_MS = 10

/**
 * Waits until the read model has passed the position; false when it has not within two seconds. Who waits for one event
 * names its partition: the others hear of positions that are not theirs only now and then.
 */
export async function hasPassed(
  sql: Sql,
  projection: string,
  position: Position,
  clock: RunnerOptions['clock'],
  partition?: string,
): Promise<boolean> {
  const until = clock.now() + WAIT_MS_MAX
  for (;;) {
    const positions = (await readCheckpoint(sql, projection))?.positions ?? {}
    const awaited = partition === undefined ? Object.values(positions) : [positions[partition] ?? BEGINNING]
    if (awaited.length > 0 && awaited.every((reached) => reached >= position)) return true
    if (clock.now() >= until) return false
    await clock.delay(LOOK_EVERY_MS)
  }
}
