import type { Clock } from '../../platform/clock/clock.ts'
import { dependencyCheck } from '../../platform/dependencyHealth.ts'
import { CatchUpProgress } from './catchUpProgress.ts'
import { type LagSources, readConsumerLags } from './consumerLags.ts'
import { stoppedModels } from './stoppedModels.ts'

/** The read models as health endpoints report them. */
export type ReadModelHealth = {
  /** degraded: requests are served, but what they show of the past is incomplete. */
  readonly status: 'healthy' | 'degraded'
  /** The read models that are far behind the event store and are catching up. */
  readonly behind: string[]
  /** Those with another version than this program's. */
  readonly needs_rebuild: string[]
  /** Those that have not applied an event for a minute, or five if they were catching up, although there is one. */
  readonly stopped: string[]
  /** Of the one that is furthest behind. */
  readonly lag_events: number
  /** The progress in percent, with one decimal. */
  readonly percent: number
  /** null if nothing is behind, or the speed is not known yet. */
  readonly seconds_left: number | null
}

const CURRENT: ReadModelHealth = {
  status: 'healthy',
  behind: [],
  needs_rebuild: [],
  stopped: [],
  lag_events: 0,
  percent: 100,
  seconds_left: null,
}

/** Calls continue while read models catch up or are stopped, so they are degraded at worst. */
export function readModelCheck(sources: LagSources, clock: Clock): () => Promise<ReadModelHealth> {
  const progress = new CatchUpProgress(sources, clock)
  let last = CURRENT
  const read = async () => {
    const lags = await readConsumerLags(sources)
    const { behind, lagEvents, done, secondsLeft } = await progress.of(lags)
    const { needRebuild, stopped } = await stoppedModels(lags, sources, clock.now())
    last = {
      status: behind.length + needRebuild.length + stopped.length === 0 ? 'healthy' : 'degraded',
      behind: behind.filter((name) => !stopped.includes(name)),
      needs_rebuild: [...needRebuild],
      stopped: [...stopped],
      lag_events: lagEvents,
      percent: percentOf(done),
      seconds_left: secondsLeft,
    }
  }
  const check = dependencyCheck(read, clock)
  return async () => {
    // A database or store that does not answer is reported as its own component.
    await check()
    return last
  }
}

/** Rounded down, so that 100 means all. */
export function percentOf(done: number): number {
  return Math.floor(done * 1000) / 10
}
