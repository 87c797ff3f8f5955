import { expect, test } from 'vitest'
import { Alarms } from './alarms.ts'
import { EXPECTED_ALARMS } from './expectedAlarms.ts'
import { type FaultKind, FaultPlan } from './faults/faultPlan.ts'

const ERROR = 50
const line = (msg: string, level = ERROR) => JSON.stringify({ level, msg })

/** Alarms in a run in which this fault happened at 0 ms, and the time of the run. */
function alarmsAfter(kind: FaultKind): { readonly alarms: Alarms; readonly time: { ms: number } } {
  const time = { ms: 0 }
  for (let seed = 1; ; seed += 1) {
    const faults = new FaultPlan(seed, () => time.ms)
    faults.isOn = true
    for (let tries = 0; tries < 10_000; tries += 1)
      if (faults.happens(kind)) return { alarms: new Alarms(faults), time }
  }
}

test('an error line whose cause has just been injected is expected', () => {
  const { alarms } = alarmsAfter('database is silent')
  alarms.line('backend', line('GraphQL operation failed'))
  expect(alarms.unexpected).toEqual([])
})

test('an error line is a false alarm if its cause is another one, or long ago', () => {
  const { alarms, time } = alarmsAfter('mail is refused')
  alarms.line('backend', line('GraphQL operation failed'))
  expect(alarms.unexpected).toHaveLength(1)
  const earlier = alarmsAfter('database is silent')
  earlier.time.ms = 61_000
  earlier.alarms.line('backend', line('GraphQL operation failed'))
  expect(earlier.alarms.unexpected).toHaveLength(1)
  expect(time.ms).toBe(0)
})

test('a line about a lasting fault is expected at every later start, and without the fault never', () => {
  const message = 'file of an unsettled call cannot be read'
  const { alarms, time } = alarmsAfter('file is damaged')
  time.ms = 100_000
  alarms.line('gateway-1', line(message))
  expect(alarms.unexpected).toEqual([])
  const other = alarmsAfter('file is torn')
  other.alarms.line('gateway-1', line(message))
  expect(other.alarms.unexpected).toHaveLength(1)
})

test.for([
  'the event store no longer matches the transparency log',
  'the ledger does not match its log',
  'projection stopped',
  'task parked after its last attempt failed',
  'webhook event failed; it can be replayed',
  'no checkpoint is signed: readers do not know the configured key',
])('"%s" is never expected', (message) => {
  expect(EXPECTED_ALARMS.filter((alarm) => alarm.message.test(message))).toEqual([])
})

test('lines below the level of errors are followed, and are no alarms', () => {
  const { alarms } = alarmsAfter('database is silent')
  const followed: string[] = []
  alarms.follow(({ msg }, process) => followed.push(`${process}: ${msg}`))
  alarms.line('reactor-1', line('the sealer begins again', 30))
  expect(followed).toEqual(['reactor-1: the sealer begins again'])
  expect(alarms.unexpected).toEqual([])
})
