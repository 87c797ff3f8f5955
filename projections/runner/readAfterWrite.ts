import type { Position } from '../../contracts/position.ts'
import { readCheckpoint } from './checkpoints.ts'
import type { Sql } from './ports.ts'
import type { RunnerOptions } from './runner.ts'

const WAIT_MS_MAX = 2_000
const LOOK_EVERY_MS = 10

/** Waits until the read model has passed the position; false when it has not within two seconds. */
export async function hasPassed(
  sql: Sql,
  projection: string,
  position: Position,
  clock: RunnerOptions['clock'],
): Promise<boolean> {
  const until = clock.now() + WAIT_MS_MAX
  for (;;) {
    const checkpoint = await readCheckpoint(sql, projection)
    if (checkpoint && Object.values(checkpoint.positions).every((reached) => reached >= position)) return true
    if (clock.now() >= until) return false
    await clock.delay(LOOK_EVERY_MS)
  }
}
