import { Gauge } from 'prom-client'
import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { Metrics } from './metrics.ts'

const SECOND_MS = 1_000

/** A metric that is read on demand, such as a count from the database. */
function gauge(metrics: Metrics, name: string, read: () => Promise<number>): void {
  new Gauge({
    ...{ name, help: name, registers: [metrics] },
    async collect() {
      this.set(await read())
    },
  })
}

test('a scrape leaves out a metric that cannot be read within 3 s, and does not start another read meanwhile', async () => {
  const clock = new ManualClock()
  const metrics = new Metrics(clock)
  const database = Promise.withResolvers<number>()
  let reads = 0
  gauge(metrics, 'counted_in_the_database', () => {
    reads++
    return database.promise
  })
  gauge(metrics, 'known', async () => 7)
  metrics.addSource(async () => 'of_a_thread 1')
  for (let scrape = 0; scrape < 3; scrape++) {
    const scraped = metrics.metrics()
    await clock.advance(3 * SECOND_MS)
    const text = await scraped
    expect(text).toContain('\nknown 7\n')
    expect(text).toMatch(/\n\nof_a_thread 1\n$/)
    expect(text).not.toContain('counted_in_the_database')
  }
  expect(reads).toBe(1)
  database.resolve(5)
  await database.promise
  expect(await metrics.metrics()).toContain('\ncounted_in_the_database 5\n')
})

test('a metric that cannot be read fails the scrape', async () => {
  const metrics = new Metrics(new ManualClock())
  gauge(metrics, 'broken', () => Promise.reject(new Error('a fault of ours')))
  await expect(metrics.metrics()).rejects.toThrow('a fault of ours')
})
