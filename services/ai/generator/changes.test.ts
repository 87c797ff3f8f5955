import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { streamName } from '../../../contracts/streams.ts'
import { type Clock, systemClock } from '../../../platform/clock/clock.ts'
import { jobs } from '../../../projections/jobs/projection.ts'
import type { Feed } from '../../../projections/runner/ports.ts'
import { prepareProjection } from '../../../projections/runner/runner.ts'
import { talents } from '../../../projections/talents/projection.ts'
import { ReadModels } from '../../../test/support/databases/readModels.ts'
import { jobPosted, talentRegistered } from '../../../test/support/events/controlEvents.ts'
import { until } from '../../../test/support/time/until.ts'
import { Changes } from './changes.ts'

/** A clock that ends every wait at once. */
const impatient: Clock = {
  ...systemClock,
  now: () => {
    nowMs += 1_000
    return nowMs
  },
  delay: async () => {},
}
let nowMs = 0

let models: ReadModels
let changes: Changes
let following: AbortController
beforeEach(async () => {
  models = await ReadModels.open()
  for (const projection of [jobs, talents]) {
    await prepareProjection(models.database, projection, models.feed.partitionsOf(projection.categories))
  }
  following = new AbortController()
  changes = new Changes({ database: models.database, feed: models.feed, clock: impatient, onChange: () => {} })
  await changes.follow(following.signal)
})
afterEach(async () => {
  following.abort()
  await models.close()
})

test('a change is kept until the read model shows it', async () => {
  const [jobId, companyId] = [randomUUID(), randomUUID()]
  await models.append(streamName('job', jobId), jobPosted(jobId, companyId))
  await until('the change is noticed', () => changes.any)
  expect(changes.touches(jobId, 'a talent')).toBe(true)
  expect(await changes.takeVisible()).toBeNull()
  expect(changes.touches(jobId, 'a talent')).toBe(true)
  models.run(jobs)
  await models.caughtUp(jobs)
  expect(await changes.takeVisible()).toEqual({ jobs: new Set([jobId]), talents: new Set() })
  expect(changes.any).toBe(false)
})

test('a change is reported once, and not again with batches that hold none', async () => {
  const [jobId, talentId] = [randomUUID(), randomUUID()]
  const job = { stream: streamName('job', jobId), position: '1', ...jobPosted(jobId, randomUUID()) }
  const talent = { stream: streamName('talent', talentId), position: '3', ...talentRegistered(talentId, randomUUID()) }
  const batches = [[job], [], [talent]].map((events) => ({ partition: 'a partition', events }))
  let reports = 0
  const feed = { ...models.feed, subscribe: () => Readable.from(batches) } as unknown as Feed
  const scripted = new Changes({ database: models.database, feed, clock: impatient, onChange: () => void reports++ })
  await (await scripted.follow(following.signal)).ended
  expect(scripted.touches(jobId, talentId)).toBe(true)
  expect(reports).toBe(2)
})
