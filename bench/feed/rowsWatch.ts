import { setTimeout as delay } from 'node:timers/promises'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { Engines } from '../../platform/engines.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'

const LEDGER_MODELS = PROJECTIONS.filter(({ categories }) => categories.includes('ledger')).map(({ name }) => name)
const LOOK_EVERY_MS = 5
const STANDSTILL_MS_MAX = 60_000

type Expected = { readonly partition: string; readonly position: Position; readonly onSeen: (atMs: number) => void }

/**
 * Sees rows like a reader: checkpoints move in the transaction of the rows. An event counts as seen when a poll finds
 * it in the last of the ledger's read models: at most one poll late, never early.
 */
export class RowsWatch {
  readonly #engines: Pick<Engines, 'database' | 'feed'>
  #expected: Expected[] = []

  constructor(engines: Pick<Engines, 'database' | 'feed'>) {
    this.#engines = engines
  }

  /** `onSeen` gets the time from `performance.now()`. */
  expect(stream: string, position: Position, onSeen: (atMs: number) => void = () => {}): void {
    this.#expected.push({ partition: this.#engines.feed.partitionOf(stream), position, onSeen })
  }

  /** Polls until the work is done and everything it expects was seen. */
  async during(work: Promise<unknown>): Promise<void> {
    let isOver = false
    const working = work.finally(() => {
      isOver = true
    })
    await Promise.all([working, this.#lookWhile(() => !isOver || this.#expected.length > 0)])
  }

  async #lookWhile(goesOn: () => boolean): Promise<void> {
    let movedAt = performance.now()
    while (goesOn()) {
      if (await this.#look()) movedAt = performance.now()
      if (this.#expected.length > 0 && performance.now() - movedAt > STANDSTILL_MS_MAX) {
        throw new Error(
          `no row appeared for ${STANDSTILL_MS_MAX / 1000} s while ${this.#expected.length} appends were expected`,
        )
      }
      await delay(LOOK_EVERY_MS)
    }
  }

  async #look(): Promise<boolean> {
    const rows = await this.#engines.database.query<{ partition: string; position: Position }>(
      `select partition, min(position) as position from read_models.checkpoints
       where projection = any($1) group by partition having count(*) = $2`,
      [LEDGER_MODELS, LEDGER_MODELS.length],
    )
    const atMs = performance.now()
    const reached = new Map(rows.map(({ partition, position }) => [partition, position]))
    const isSeen = ({ partition, position }: Expected) => (reached.get(partition) ?? BEGINNING) >= position
    const seen = this.#expected.filter(isSeen)
    this.#expected = this.#expected.filter((expected) => !isSeen(expected))
    for (const { onSeen } of seen) onSeen(atMs)
    // There is no standstill while nothing is expected.
    return seen.length > 0 || this.#expected.length === 0
  }
}
