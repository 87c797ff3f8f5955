import { expect, test } from 'vitest'
import { judgeScrubs, type ScrubsSeen } from './scrubsVerdict.ts'

const clean: ScrubsSeen = {
  companies: 9,
  failures: [],
  alarms: [],
  looks: 10,
  scrubs: 5,
  scrubsMin: 5,
  suspicions: 0,
  audits: [{ code: 0, output: '' }],
  sealed: { events: 20, entries: 20, companies: 10, signed: 20 },
}

test('a run without an alarm passes', () => {
  expect(judgeScrubs(clean).filter(({ passed }) => !passed)).toEqual([])
})

test.each([
  ['no false alarm', { alarms: ['event 1 was removed'] }],
  ['companies are created all the time', { companies: 0 }],
  ['companies are created all the time', { failures: ['fetch failed'] }],
  ['no difference is found, even for a moment', { suspicions: 1 }],
  ['scrubs run all the time', { scrubs: 4 }],
  ['audits meanwhile find nothing', { audits: [{ code: 1, output: 'the secret is missing' }] }],
  ['audits meanwhile find nothing', { audits: [] }],
  ['every event is sealed and signed', { sealed: { ...clean.sealed, entries: 19 } }],
  ['every event is sealed and signed', { sealed: { ...clean.sealed, signed: 19 } }],
] as const)('"%s" fails with %o', (name, change) => {
  const failed = judgeScrubs({ ...clean, ...change }).filter(({ passed }) => !passed)
  expect(failed.map((check) => check.name)).toEqual([name])
})
