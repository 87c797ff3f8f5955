import type { JobEvent } from '../../../contracts/events/job.ts'
import type { TalentEvent } from '../../../contracts/events/talent.ts'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import { categoryOf } from '../../../contracts/streams.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { jobs } from '../../../projections/jobs/projection.ts'
import { readCheckpoint } from '../../../projections/runner/checkpoints.ts'
import type { Database, Feed, FeedBatch } from '../../../projections/runner/ports.ts'
import { hasPassed } from '../../../projections/runner/readAfterWrite.ts'
import { talents } from '../../../projections/talents/projection.ts'
import type { Changed } from './pendingPairs.ts'

/** Limit of remembered changes. Beyond it, the generator reads all jobs and talents again. */
const MATCH_CHANGES_MAX = 10_000

type Awaited = Map<string, { readonly model: string; readonly partition: string; readonly position: Position }>

/** The position that a read model showed in a partition when the feed was subscribed to. */
type Shown = ReadonlyMap<string, Position>

export type ChangesOptions = {
  readonly database: Database
  readonly feed: Feed
  readonly clock: Clock
  /** Called when a job or a talent has changed. */
  readonly onChange: () => void
}

/** Collects the jobs and talents that have changed, from the feed. */
export class Changes {
  readonly #options: ChangesOptions
  #jobs = new Set<string>()
  #talents = new Set<string>()
  #tooMany = false
  /** The position that each read model must reach in each partition to show the changes. */
  #awaited: Awaited = new Map()

  constructor(options: ChangesOptions) {
    this.#options = options
  }

  get any(): boolean {
    return this.#jobs.size > 0 || this.#talents.size > 0 || this.#tooMany
  }

  touches(jobId: string, talentId: string): boolean {
    return this.#jobs.has(jobId) || this.#talents.has(talentId)
  }

  /**
   * Follows the feed from the current position of the read models until the signal aborts. Resolves when the subscription
   * has started.
   */
  async follow(signal: AbortSignal): Promise<{ readonly ended: Promise<void> }> {
    const { database, feed } = this.#options
    const positionsShown = new Map<string, Position>()
    const shownByModel = new Map<string, Position>()
    for (const { name } of [jobs, talents]) {
      const positions = (await readCheckpoint(database, name))?.positions ?? {}
      for (const [partition, position] of Object.entries(positions)) {
        const other = positionsShown.get(partition)
        positionsShown.set(partition, other !== undefined && other < position ? other : position)
        shownByModel.set(`${name} ${partition}`, position)
      }
    }
    const subscription = feed.subscribe({
      consumer: 'match-score-generator',
      shared: false,
      categories: ['job', 'talent'],
      reached: async (partition) => positionsShown.get(partition) ?? BEGINNING,
      signal,
    })
    return { ended: this.#collect(subscription, shownByModel) }
  }

  /** Returns the changes and forgets them. Returns null, and keeps them, if the read models do not show them yet. */
  async takeVisible(): Promise<Changed | 'everything' | null> {
    const changed = { jobs: this.#jobs, talents: this.#talents }
    const awaited = this.#awaited
    const tooMany = this.#tooMany
    this.#jobs = new Set()
    this.#talents = new Set()
    this.#awaited = new Map()
    this.#tooMany = false
    if (await this.#areVisible(awaited)) return tooMany ? 'everything' : changed
    this.#jobs = new Set([...changed.jobs, ...this.#jobs])
    this.#talents = new Set([...changed.talents, ...this.#talents])
    this.#awaited = new Map([...awaited, ...this.#awaited])
    this.#tooMany ||= tooMany
    return null
  }

  async #areVisible(awaited: Awaited): Promise<boolean> {
    const { database, clock } = this.#options
    for (const { model, partition, position } of awaited.values()) {
      if (!(await hasPassed(database, model, position, clock, partition))) return false
    }
    return true
  }

  async #collect(batches: AsyncIterable<FeedBatch<JobEvent | TalentEvent>>, shown: Shown): Promise<void> {
    for await (const { partition, events } of batches) {
      let isNew = false
      for (const { stream, data, position } of events) {
        const model = categoryOf(stream) === 'job' ? jobs.name : talents.name
        // The feed begins where the read model that is behind stands.
        if (position <= (shown.get(`${model} ${partition}`) ?? BEGINNING)) continue
        if (this.#jobs.size + this.#talents.size >= MATCH_CHANGES_MAX) this.#tooMany = true
        else if ('jobId' in data) this.#jobs.add(data.jobId)
        else this.#talents.add(data.talentId)
        this.#awaited.set(`${model} ${partition}`, { model, partition, position })
        isNew = true
      }
      // Batches without a job or a talent arrive with every few calls, also while a stopped generator keeps its changes.
      if (isNew) this.#options.onChange()
    }
  }
}
