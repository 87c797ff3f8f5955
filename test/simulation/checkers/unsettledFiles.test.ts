import { expect, test } from 'vitest'
import { Alarms } from '../alarms.ts'
import { FaultPlan } from '../faults/faultPlan.ts'
import { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { Simulation } from '../simulation.ts'
import { UnsettledFiles } from './unsettledFiles.ts'

const PATH = '/simulated/unsettled/call-1.json'
const WARNING = 40

/** The files of one call, as a crash left them. */
function disk(text: string | null, isDamaged = text?.includes('\0') === true) {
  const files = new Map(text === null ? [] : [[PATH, text]])
  const owner = new SimulatedProcess('gateway-1')
  const alarms = new Alarms(new FaultPlan(1))
  const unsettled = new UnsettledFiles({
    alarms,
    files: { contents: () => files.entries(), damaged: new Set(isDamaged ? [PATH] : []) },
    processes: { get: () => owner },
  } as unknown as Simulation)
  const log = (msg: string, facts: object) =>
    alarms.line('gateway-1', JSON.stringify({ level: WARNING, msg, ...facts }))
  const reports = (file: string) => log('file of an unsettled call cannot be read', { file })
  const found = (damaged: readonly string[]) => unsettled.reported(async () => [{ calls: [], damaged }]).end()
  return { unsettled, owner, log, reports, found }
}

test('a damaged file that gateways and auditors report is right', async () => {
  const { unsettled, reports, found } = disk('{"ver\0\0')
  reports(PATH)
  expect(await found([PATH])).toBeNull()
  expect(unsettled.isLost('call-1')).toBe(true)
  expect(unsettled.settled().missing()).toBeNull()
})

test('a damaged file that a gateway or an auditor is silent about is found', async () => {
  const { reports, found } = disk('{"ver\0\0')
  expect(await found([PATH])).toContain('no gateway has reported it')
  reports(PATH)
  expect(await found([])).toContain('the audit lists these unreadable files')
})

test('a report about a file that is not damaged is found', async () => {
  const { reports, found } = disk('{"version":2}')
  reports(PATH)
  expect(await found([])).toContain('and it is not')
})

test('a file that remains is unsettled, and its call is not lost', () => {
  const { unsettled } = disk('{"version":2}')
  expect(unsettled.settled().missing()).toContain('1 files of calls remain')
  expect(unsettled.isLost('call-1')).toBe(false)
})

test('a call that only memory knows is lost with its process, unless it was settled before', () => {
  const { unsettled, owner, log } = disk(null)
  for (const callId of ['call-2', 'call-3']) log('unsettled call could not be recorded on the disk', { callId })
  expect(unsettled.settled().missing()).toContain('2 calls are in memory')
  log('call of unknown outcome was settled', { callId: 'call-3' })
  owner.kill()
  expect([unsettled.isLost('call-2'), unsettled.isLost('call-3')]).toEqual([true, false])
  expect(unsettled.settled().missing()).toBeNull()
})
