import type { Outcome } from '../simulate.ts'
import type { WorldName } from '../world.ts'
import type { SeedQueue } from './seedQueue.ts'
import { Worker, type WorkerOptions } from './worker.ts'

export type WorldRun = {
  readonly world: WorldName
  /** In the order of their seeds. */
  readonly outcomes: readonly Outcome[]
  readonly requiredCounters: readonly string[]
  readonly realMs: number
}

export type RunOptions = WorkerOptions & {
  readonly workers: number
  readonly onOutcome?: (outcome: Outcome) => void
  /** A new process for each seed. */
  readonly isFresh?: boolean
}

/** Runs the seeds of a queue on several processes. The outcome of a seed is the same whichever runs it. */
export async function runWorld(world: WorldName, queue: SeedQueue, options: RunOptions): Promise<WorldRun> {
  const { workers, onOutcome = () => {}, isFresh = false } = options
  const begunMs = performance.now()
  const outcomes: Outcome[] = []
  let requiredCounters: readonly string[] = []
  const serve = async (first: Worker | null) => {
    let worker = first
    try {
      for (let seed = queue.next(); seed !== null; seed = queue.next()) {
        worker ??= await Worker.open(world, options)
        requiredCounters = worker.requiredCounters
        const outcome = await worker.run(seed)
        if (outcome.failure) queue.failed(seed)
        outcomes.push(outcome)
        onOutcome(outcome)
        if (worker.isUsable && !isFresh) continue
        await worker.close()
        worker = null
      }
    } finally {
      await worker?.close()
    }
  }
  // The first worker writes the template of the database if it is missing; the others find it.
  const first = await Worker.open(world, options)
  await Promise.all(Array.from({ length: workers }, (_, at) => serve(at === 0 ? first : null)))
  const counted = outcomes.filter(({ seed }) => queue.counts(seed)).toSorted((a, b) => a.seed - b.seed)
  return { world, outcomes: counted, requiredCounters, realMs: performance.now() - begunMs }
}
