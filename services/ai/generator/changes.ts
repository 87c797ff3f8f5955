import { BEGINNING, type Position } from '../../../contracts/position.ts'
import { categoryOf } from '../../../contracts/streams.ts'
import { jobs } from '../../../projections/jobs/projection.ts'
import { readCheckpoint } from '../../../projections/runner/checkpoints.ts'
import type { Database, Feed } from '../../../projections/runner/ports.ts'
import { hasPassed } from '../../../projections/runner/readAfterWrite.ts'
import { talents } from '../../../projections/talents/projection.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Changed } from './pendingPairs.ts'

/** Jobs and talents that changed while the generator worked; beyond this it looks at all of them again. */
const MATCH_CHANGES_MAX = 10_000

type Awaited = Map<string, { readonly model: string; readonly partition: string; readonly position: Position }>

export type ChangesParts = {
  readonly database: Database
  readonly feed: Feed
  readonly clock: Clock
  /** Called when something has changed. */
  readonly onChange: () => void
}

/** Which jobs and talents have changed since it was last asked, by the feed. */
export class Changes {
  readonly #parts: ChangesParts
  #jobs = new Set<string>()
  #talents = new Set<string>()
  #tooMany = false
  /** How far the read model of a category must have come, in which partition, to show them. */
  #awaited: Awaited = new Map()

  constructor(parts: ChangesParts) {
    this.#parts = parts
  }

  get any(): boolean {
    return this.#jobs.size > 0 || this.#talents.size > 0 || this.#tooMany
  }

  touches(jobId: string, talentId: string): boolean {
    return this.#jobs.has(jobId) || this.#talents.has(talentId)
  }

  /** From what the read models show now on, until the signal aborts. Resolves when it follows. */
  async follow(signal: AbortSignal): Promise<{ readonly ended: Promise<void> }> {
    const { database, feed } = this.#parts
    const shown = new Map<string, Position>()
    for (const { name } of [jobs, talents]) {
      const positions = (await readCheckpoint(database, name))?.positions ?? {}
      for (const [partition, position] of Object.entries(positions)) {
        const other = shown.get(partition)
        shown.set(partition, other !== undefined && other < position ? other : position)
      }
    }
    const subscription = feed.subscribe({
      consumer: 'match-score-generator',
      shared: false,
      categories: ['job', 'talent'],
      reached: async (partition) => shown.get(partition) ?? BEGINNING,
      signal,
    })
    return { ended: this.#take(subscription) }
  }

  /** Hands them over once the read models show them; null: they do not yet, and it keeps them. */
  async handOver(): Promise<Changed | 'everything' | null> {
    const changed = { jobs: this.#jobs, talents: this.#talents }
    const awaited = this.#awaited
    const tooMany = this.#tooMany
    this.#jobs = new Set()
    this.#talents = new Set()
    this.#awaited = new Map()
    this.#tooMany = false
    if (await this.#areShown(awaited)) return tooMany ? 'everything' : changed
    this.#jobs = new Set([...changed.jobs, ...this.#jobs])
    this.#talents = new Set([...changed.talents, ...this.#talents])
    this.#awaited = new Map([...awaited, ...this.#awaited])
    this.#tooMany ||= tooMany
    return null
  }

  async #areShown(awaited: Awaited): Promise<boolean> {
    const { database, clock } = this.#parts
    for (const { model, partition, position } of awaited.values()) {
      if (!(await hasPassed(database, model, position, clock, partition))) return false
    }
    return true
  }

  async #take(batches: ReturnType<Feed['subscribe']>): Promise<void> {
    for await (const { partition, events } of batches) {
      for (const { stream, data, position } of events) {
        const model = categoryOf(stream) === 'job' ? jobs.name : talents.name
        if (this.#jobs.size + this.#talents.size >= MATCH_CHANGES_MAX) this.#tooMany = true
        else if (typeof data.jobId === 'string') this.#jobs.add(data.jobId)
        else if (typeof data.talentId === 'string') this.#talents.add(data.talentId)
        this.#awaited.set(`${model} ${partition}`, { model, partition, position })
      }
      if (events.length > 0) this.#parts.onChange()
    }
  }
}
