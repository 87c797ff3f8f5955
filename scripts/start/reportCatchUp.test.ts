import { expect, test } from 'vitest'
import { lineOf } from './reportCatchUp.ts'

const behind = ['usage', 'calls']

test('the progress of read models is shown in percent, with the remaining time once the speed is known', () => {
  expect(lineOf({ behind, lagEvents: 7_000, done: 0.45678, secondsLeft: null })).toBe(
    'Read models are catching up with the event store: 45.6 %.\n',
  )
  expect(lineOf({ behind, lagEvents: 7_000, done: 0.9999, secondsLeft: 119 })).toBe(
    'Read models are catching up with the event store: 99.9 %, about 119 s left.\n',
  )
  expect(lineOf({ behind, lagEvents: 7_000, done: 0.1, secondsLeft: 601 })).toContain('about 11 min left')
})

test('the end of a catch-up is shown too', () => {
  expect(lineOf({ behind: [], lagEvents: 3, done: 1, secondsLeft: null })).toBe('All read models are current.\n')
})
