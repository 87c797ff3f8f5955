import { type BulkStep, writeStep } from './bulkModel.ts'
import { advanceCheckpoints } from './checkpoints.ts'
import type { Database } from './ports.ts'

/** One transaction keeps the database busy while this process folds the next pages; a second one fills its pauses. */
const TRANSACTIONS_AT_ONCE = 2

/** The mark that the step left on its checkpoint; null if another transaction wrote the checkpoint first. */
export type StepOutcome = {
  readonly step: BulkStep
  readonly mark: string | null
  readonly error?: unknown
}

/**
 * Stores the steps of several models, each with its checkpoint in one transaction; steps without rows share one. A model that
 * fails does not affect the others. A crash loses rows and checkpoints together, so the commit need not wait for the disk.
 */
export async function storeSteps(database: Database, steps: readonly BulkStep[]): Promise<StepOutcome[]> {
  const idle = steps.filter(isIdle)
  const shared = await storeIdle(database, idle)
  const waiting = steps.filter((step) => !shared.has(step))
  const outcomes: StepOutcome[] = [...shared].map(([step, mark]) => ({ step, mark }))
  const work = async () => {
    for (let step = waiting.pop(); step; step = waiting.pop()) outcomes.push(await storeAlone(database, step))
  }
  await Promise.all(Array.from({ length: TRANSACTIONS_AT_ONCE }, work))
  return outcomes
}

function isIdle({ inserted, updated, counted }: BulkStep): boolean {
  return inserted === '' && updated.length === 0 && counted === ''
}

/** Returns the marks of the stored ones. The others are locked or were moved, and find out on their own. */
async function storeIdle(database: Database, steps: readonly BulkStep[]): Promise<Map<BulkStep, string>> {
  if (steps.length === 0) return new Map()
  try {
    return await database.transaction(
      async (sql) => {
        const moved = await advanceCheckpoints(sql, steps, 'passes over')
        if (moved.some(({ move, markBefore }) => markBefore !== move.mark))
          throw new Error('a checkpoint was rewritten')
        return new Map(moved.map(({ move, mark }) => [move, mark]))
      },
      { repeatable: true },
    )
  } catch {
    return new Map()
  }
}

class Rewritten extends Error {}

async function storeAlone(database: Database, step: BulkStep): Promise<StepOutcome> {
  try {
    const mark = await database.transaction(
      async (sql) => {
        // Comes first, because it locks the checkpoint: a second runner or a rebuild waits there and then finds it moved.
        const [moved] = await advanceCheckpoints(sql, [step], 'waits')
        if (moved?.markBefore !== step.mark) throw new Rewritten()
        await writeStep(sql, step)
        return moved.mark
      },
      { repeatable: true, isLong: true },
    )
    return { step, mark }
  } catch (error) {
    return error instanceof Rewritten ? { step, mark: null } : { step, mark: null, error }
  }
}
