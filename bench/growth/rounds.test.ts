import { expect, test } from 'vitest'
import { alternating } from './rounds.ts'

const SIZES = [{ events: 10 }, { events: 1_000 }]
const subject = { part: 'calls', name: 'a call', unit: 'ms', rounds: 3 }

test('anything that takes more than 1.2 times as long with more events misses the bound', async () => {
  const measure = async ({ events }: { events: number }) => (events === 10 ? 10 : 12.5)
  const [few, many] = await alternating(SIZES, { ...subject, measure })
  expect(few).toMatchObject({ ratio: 1, bound: null, met: true, events: 10 })
  expect(many).toMatchObject({ name: 'a call with 1,000 events', ratio: 1.25, bound: 'ratio ≤ 1.2', met: false })
})

test('a rate must not fall by more than a sixth', async () => {
  const rates = { ...subject, unit: 'calls/s', isRate: true }
  const with84 = await alternating(SIZES, { ...rates, measure: async ({ events }) => (events === 10 ? 100 : 84) })
  const with80 = await alternating(SIZES, { ...rates, measure: async ({ events }) => (events === 10 ? 100 : 80) })
  expect([with84[1]?.met, with80[1]?.met]).toEqual([true, false])
})

test('a slow round that hits all sizes does not change the ratio', async () => {
  const measure = async ({ events }: { events: number }, round: number) =>
    (events === 10 ? 10 : 11) * (round === 1 ? 7 : 1)
  const [, many] = await alternating(SIZES, { ...subject, measure })
  expect(many?.ratio).toBeCloseTo(1.1)
})

test('anything that grows by nature is recorded without a bound', async () => {
  const measure = async ({ events }: { events: number }) => events
  const [, many] = await alternating(SIZES, { ...subject, isRecordedOnly: true, measure })
  expect(many).toMatchObject({ ratio: 100, bound: null, met: true })
})
