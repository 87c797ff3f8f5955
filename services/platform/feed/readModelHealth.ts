import type { Clock } from '../clock/clock.ts'
import { dependencyCheck } from '../dependencyHealth.ts'
import { CatchUpProgress } from './catchUpProgress.ts'
import type { LagSources } from './consumerLags.ts'

/** The read models as health endpoints report them. */
export type ReadModelHealth = {
  /** degraded: requests are served, and what they show of the past is incomplete. */
  readonly status: 'healthy' | 'degraded'
  /** The read models that are far behind the event store. */
  readonly behind: string[]
  /** Of the one that is furthest behind. */
  readonly lag_events: number
  /** How much of the work is done, from 0 to 100, with one decimal. */
  readonly percent: number
  /** null if nothing is behind, or the speed is not known yet. */
  readonly seconds_left: number | null
}

const CURRENT: ReadModelHealth = { status: 'healthy', behind: [], lag_events: 0, percent: 100, seconds_left: null }

/** Calls go on while read models catch up, so they are degraded at worst. */
export function readModelCheck(sources: LagSources, clock: Clock): () => Promise<ReadModelHealth> {
  const progress = new CatchUpProgress(sources, clock)
  let last = CURRENT
  const read = async () => {
    const { behind, lagEvents, done, secondsLeft } = await progress.read()
    last = {
      status: behind.length === 0 ? 'healthy' : 'degraded',
      behind: [...behind],
      lag_events: lagEvents,
      percent: percentOf(done),
      seconds_left: secondsLeft,
    }
  }
  const check = dependencyCheck(read, clock)
  return async () => {
    // A database or a store that does not answer is a component of its own.
    await check()
    return last
  }
}

/** Rounded down, so that 100 means all. */
export function percentOf(done: number): number {
  return Math.floor(done * 1000) / 10
}
