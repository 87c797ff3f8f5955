import { expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { CATCH_UP_EVENTS_MIN } from '../../projections/runner/catchUp.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { CatchUpProgress } from './catchUpProgress.ts'
import type { LagSources } from './consumerLags.ts'

const at = (position: number) => String(position).padStart(16, '0') as Position

/** A store with this many events, and read models that are all current except for usage. */
function progressOf(events: number, usage: () => number, clock: ManualClock): CatchUpProgress {
  const query = async () =>
    PROJECTIONS.map(({ name, version }) => ({
      ...{ projection: name, partition: 'all', version },
      position: at(name === 'usage' ? usage() : events),
    }))
  const store = {
    eventsAfter: async (position: Position) => events - (position === BEGINNING ? 0 : Number(position)),
    head: async () => at(events),
  }
  return new CatchUpProgress({ database: { query }, store, usesKafka: false } as unknown as LagSources, clock)
}

test('a read model that is far behind is named, with its progress and the remaining time', async () => {
  const clock = new ManualClock()
  let reached = 0
  const progress = progressOf(100_000, () => reached, clock)
  const done = (left: number) => 1 - left / (PROJECTIONS.length * 100_000)
  expect(await progress.read()).toEqual({
    behind: ['usage'],
    lagEvents: 100_000,
    done: done(100_000),
    secondsLeft: null,
  })
  await clock.advance(10_000)
  reached = 20_000
  expect(await progress.read()).toEqual({ behind: ['usage'], lagEvents: 80_000, done: done(80_000), secondsLeft: 40 })
})

test('an ordinary lag is not reported as catching up', async () => {
  const progress = progressOf(100_000, () => 100_000 - CATCH_UP_EVENTS_MIN + 1, new ManualClock())
  expect(await progress.read()).toEqual({
    behind: [],
    lagEvents: CATCH_UP_EVENTS_MIN - 1,
    done: 1,
    secondsLeft: null,
  })
})
