import { BEGINNING } from '../../contracts/position.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { CATCH_UP_EVENTS_MIN } from '../../projections/runner/catchUp.ts'
import { type ConsumerLags, type LagSources, readConsumerLags } from './consumerLags.ts'

/** The progress of the read models that are far behind the store. */
export type CatchUp = {
  /** The read models with many events to apply; empty if all are current. */
  readonly behind: readonly string[]
  /** Of the model that is furthest behind. */
  readonly lagEvents: number
  /** The share of the work that is done, counted from the first event of the store; 1 if all are current. */
  readonly done: number
  /** null while the speed is not known yet. */
  readonly secondsLeft: number | null
}

type Sample = { readonly atMs: number; readonly left: number }

/** The speed over the last half minute. */
const SPEED_OVER_MS = 30_000

/** Reads the progress of the read models, and estimates from earlier readings how long they need. */
export class CatchUpProgress {
  readonly #sources: LagSources
  readonly #clock: Pick<Clock, 'monotonicMs'>
  #samples: Sample[] = []

  constructor(sources: LagSources, clock: Pick<Clock, 'monotonicMs'>) {
    this.#sources = sources
    this.#clock = clock
  }

  async read(): Promise<CatchUp> {
    return this.of(await readConsumerLags(this.#sources))
  }

  /** Like read, with lags that were just read. */
  async of({ projections }: Pick<ConsumerLags, 'projections'>): Promise<CatchUp> {
    const far = projections.filter(({ lagEvents }) => (lagEvents ?? 0) >= CATCH_UP_EVENTS_MIN)
    if (far.length === 0) {
      this.#samples = []
      return { behind: [], lagEvents: Math.max(0, ...lagsOf(projections)), done: 1, secondsLeft: null }
    }
    const total = await this.#sources.store.eventsAfter(BEGINNING)
    const left = lagsOf(far).reduce((sum, lag) => sum + lag, 0)
    return {
      behind: far.map(({ name }) => name),
      lagEvents: Math.max(...lagsOf(far)),
      done: Math.max(0, 1 - left / (projections.length * Math.max(1, total))),
      secondsLeft: this.#secondsLeft(left),
    }
  }

  #secondsLeft(left: number): number | null {
    const atMs = this.#clock.monotonicMs()
    this.#samples = [...this.#samples.filter((sample) => atMs - sample.atMs <= SPEED_OVER_MS), { atMs, left }]
    const [first] = this.#samples
    if (!first || first.atMs === atMs || first.left <= left) return null
    return Math.ceil((left * (atMs - first.atMs)) / (first.left - left) / 1000)
  }
}

function lagsOf(projections: readonly { readonly lagEvents: number | null }[]): number[] {
  return projections.map(({ lagEvents }) => lagEvents ?? 0)
}
