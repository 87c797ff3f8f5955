import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import type { Projection } from '../projection.ts'
import { advanceCheckpoint, advanceCheckpoints } from './checkpoints.ts'
import type { Database, Sql } from './ports.ts'
import { applyBatch, LIVE_SCHEMA } from './tables.ts'

/** A batch with more events than this takes long enough that other read models should not wait for it. */
export const SHARED_EVENTS_MAX = 300

/** A move of a checkpoint, and the events that go into the rows with it. */
export type Step = {
  readonly projection: Projection
  readonly partition: string
  readonly from: Position
  readonly to: Position
  readonly events: readonly RecordedEvent[]
}

type Waiting = {
  readonly step: Step
  readonly resolve: (mine: boolean | Promise<boolean>) => void
}

/**
 * Stores the small steps of all read models of a process, as many as are waiting in one transaction: most events change a
 * dozen models, and a dozen transactions cost several times as much as one with the same rows. A crash loses rows and
 * checkpoints together, and lost events are read again, so the commit need not wait for the disk.
 */
export class SharedTransactions {
  readonly #database: Database
  readonly #idsAreUnique: boolean
  #waiting: Waiting[] = []
  #isWorking = false

  constructor(database: Database, idsAreUnique: boolean) {
    this.#database = database
    this.#idsAreUnique = idsAreUnique
  }

  /** False if another runner moved the checkpoint, or if it now belongs to another version; then nothing is stored. */
  store(step: Step): Promise<boolean> {
    if (step.events.length > SHARED_EVENTS_MAX) return this.#storeAlone(step)
    return new Promise((resolve) => {
      this.#waiting.push({ step, resolve })
      void this.#work()
    })
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return
    this.#isWorking = true
    while (this.#waiting.length > 0) await this.#storeTogether()
    this.#isWorking = false
  }

  async #storeTogether(): Promise<void> {
    let taken: Waiting[] = []
    let moved: ReadonlySet<string> = new Set()
    try {
      moved = await this.#database.transaction(
        async (sql) => {
          // Not before the transaction has begun: meanwhile the other models have got the same events.
          taken = this.#takeOneEach()
          return this.#storeSteps(
            sql,
            taken.map(({ step }) => step),
          )
        },
        { repeatable: true },
      )
    } catch {
      // One of them may be at fault, and alone it fails alone.
      if (taken.length === 0) taken = this.#takeOneEach()
    }
    // The others were moved, or are held by a rebuild. Stored alone, they find out without making other models wait.
    for (const { step, resolve } of taken) resolve(moved.has(nameOf(step)) || this.#storeAlone(step))
  }

  /** In the order of their names, so that two processes never wait for each other's rows. */
  #takeOneEach(): Waiting[] {
    const taken = new Map<string, Waiting>()
    this.#waiting = this.#waiting.filter((one) => {
      const name = nameOf(one.step)
      if (taken.has(name)) return true
      taken.set(name, one)
      return false
    })
    return [...taken].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, waiting]) => waiting)
  }

  async #storeSteps(sql: Sql, steps: readonly Step[]): Promise<Set<string>> {
    const moved = new Set((await advanceCheckpoints(sql, steps)).map(nameOf))
    for (const step of steps) {
      if (moved.has(nameOf(step))) await this.#apply(sql, step)
    }
    return moved
  }

  #storeAlone(step: Step): Promise<boolean> {
    return this.#database.transaction(
      async (sql) => {
        // First, because it locks the checkpoint: a second runner or a rebuild waits here and then finds it moved.
        const mine = await advanceCheckpoint(sql, step)
        if (mine) await this.#apply(sql, step)
        return mine
      },
      { repeatable: true },
    )
  }

  async #apply(sql: Sql, { projection, events }: Step): Promise<void> {
    if (events.length > 0) await applyBatch(sql, projection, LIVE_SCHEMA, events, this.#idsAreUnique)
  }
}

/** The checkpoint of the step, as one text. */
function nameOf({ projection, partition }: { projection: Pick<Projection, 'name'>; partition: string }): string {
  return `${projection.name}\0${partition}`
}
