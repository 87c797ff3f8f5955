import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import type { Projection, Row } from '../projection.ts'
import { advanceCheckpoints, type Moved } from './checkpoints.ts'
import type { Database, Sql } from './ports.ts'
import { RecentRows } from './recentRows.ts'
import { applyBatch, LIVE_SCHEMA } from './tables.ts'

/** A batch with more events than this takes so long that other read models should not wait for it. */
export const SHARED_EVENTS_MAX = 1_000

const NO_ROWS: ReadonlyMap<string, Row> = new Map()

/** A move of a checkpoint, and the events whose rows are written with it. */
export type Step = {
  readonly projection: Projection
  readonly partition: string
  readonly from: Position
  readonly to: Position
  readonly events: readonly RecordedEvent[]
}

/** A step whose rows and checkpoint are written, which takes effect once the transaction has committed. */
type Written = Moved<Step> & { readonly rows: ReadonlyMap<string, Row> }

type Waiting = {
  readonly step: Step
  readonly resolve: (mine: boolean | Promise<boolean>) => void
}

/**
 * Stores the small steps of all read models of a process, as many as are waiting in one transaction: most events change
 * a dozen models, and a dozen transactions cost several times as much as one with the same rows. A crash loses rows and
 * checkpoints together, and lost events are read again, so the commit need not wait for the disk.
 */
export class SharedTransactions {
  readonly #database: Database
  readonly #idsAreUnique: boolean
  /** By the name of the checkpoint. */
  readonly #recent = new Map<string, RecentRows>()
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
    let moved: ReadonlySet<Step> = new Set()
    try {
      moved = await this.#store('passes over', () => {
        // Not before the transaction has begun: by then the other models have received the same events.
        taken = this.#takeOneEach()
        return taken.map(({ step }) => step)
      })
    } catch {
      // One of them may be at fault; on its own, only that one fails.
      if (taken.length === 0) taken = this.#takeOneEach()
    }
    // The others were moved, or are locked by a rebuild. On their own, they find out without making other models wait.
    for (const { step, resolve } of taken) resolve(moved.has(step) || this.#storeAlone(step))
  }

  /** Ordered by name, so that two processes never wait for each other's rows. */
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

  async #storeAlone(step: Step): Promise<boolean> {
    const moved = await this.#store('waits', () => [step])
    return moved.has(step)
  }

  /** Returns the stored steps. */
  async #store(held: 'waits' | 'passes over', take: () => readonly Step[]): Promise<ReadonlySet<Step>> {
    const written = await this.#database.transaction(
      async (sql) => {
        // Comes first, because it locks the checkpoints: a second runner or a rebuild waits there and then finds them moved.
        const moved = await advanceCheckpoints(sql, take(), held)
        const all: Written[] = []
        for (const one of moved) all.push({ ...one, rows: await this.#apply(sql, one) })
        return all
      },
      { repeatable: true },
    )
    for (const { move, markBefore, mark, rows } of written) this.#recentOf(move).stored(markBefore, mark, rows)
    return new Set(written.map(({ move }) => move))
  }

  #apply(sql: Sql, { move, markBefore }: Moved<Step>): Promise<ReadonlyMap<string, Row>> | ReadonlyMap<string, Row> {
    const { projection, events } = move
    if (events.length === 0) return NO_ROWS
    return applyBatch(sql, projection, LIVE_SCHEMA, events, this.#idsAreUnique, this.#recentOf(move).at(markBefore))
  }

  #recentOf(step: Step): RecentRows {
    const name = nameOf(step)
    const recent = this.#recent.get(name) ?? new RecentRows()
    this.#recent.set(name, recent)
    return recent
  }
}

/** The checkpoint of the step, as one text. */
function nameOf({ projection, partition }: { projection: Pick<Projection, 'name'>; partition: string }): string {
  return `${projection.name}\0${partition}`
}
