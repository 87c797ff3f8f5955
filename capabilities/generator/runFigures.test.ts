import { expect, test } from 'vitest'
import { RunCounter } from './runFigures.ts'

test('figures cover the time since the start and the last minute', () => {
  const counter = new RunCounter(0)
  expect(counter.read(0)).toEqual({
    processed: 0,
    errors: 0,
    avgMs: 0,
    perMinute: 0,
    perSecond: 0,
    errorPercent: 0,
    lastProcessedAtMs: null,
  })
  counter.batch({ processed: 90, errors: 10, ms: 180, nowMs: 10_000 })
  expect(counter.read(10_000)).toEqual({
    processed: 90,
    errors: 10,
    avgMs: 2,
    perMinute: 90,
    perSecond: 9,
    errorPercent: 10,
    lastProcessedAtMs: 10_000,
  })
  counter.batch({ processed: 30, errors: 0, ms: 60, nowMs: 65_000 })
  expect(counter.read(65_000)).toMatchObject({ processed: 120, perMinute: 120, perSecond: 2 })
  expect(counter.read(75_000)).toMatchObject({ processed: 120, perMinute: 30, perSecond: 0.5 })
  expect(counter.read(500_000)).toMatchObject({ processed: 120, perMinute: 0, perSecond: 0, lastProcessedAtMs: 65_000 })
})

test('a batch in which every pair failed counts errors and no match', () => {
  const counter = new RunCounter(0)
  counter.batch({ processed: 0, errors: 5, ms: 10, nowMs: 1_000 })
  expect(counter.read(1_000)).toMatchObject({ processed: 0, errors: 5, errorPercent: 100, lastProcessedAtMs: null })
})
