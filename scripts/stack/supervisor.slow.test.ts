import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Clock, systemClock } from '../../platform/clock/clock.ts'
import { sendSignal } from '../../platform/postgres/embedded/sendSignal.ts'
import { onAbruptExit } from '../../test/support/processes/exitSteps.ts'
import { reusablePorts } from '../../test/support/processes/reusablePorts.ts'
import { until } from '../../test/support/time/until.ts'
import type { Program } from './serviceProcess.ts'
import { type RunningProcess, Supervisor } from './supervisor.ts'

let folder: string
let reported: string[]
let running: readonly RunningProcess[]
let supervisor: Supervisor
let callOff: () => void
const diary = () => readFileSync(join(folder, 'diary'), 'utf8').trim().split('\n')
const pidOf = (name: string) => running.find((process) => process.name === name)?.pid ?? 0
const never = new AbortController().signal

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), `tollgate-test-${process.pid}-`))
  reported = []
  running = []
  supervisor = supervisorWith({})
})
afterEach(async () => {
  await supervisor.stop()
  callOff()
  expect(running).toEqual([])
  rmSync(folder, { recursive: true })
})

function supervisorWith({ clock = systemClock, drainMs = 10_000 }: { clock?: Clock; drainMs?: number }): Supervisor {
  const made = new Supervisor({
    clock,
    drainMs,
    onLine: () => {},
    report: (line) => reported.push(line),
    onChange: (processes) => {
      running = processes
    },
  })
  callOff = onAbruptExit(() => made.kill())
  return made
}

async function programs(...names: string[]): Promise<Program[]> {
  const ports = await reusablePorts(names.length)
  return names.map((name, n) => ({
    name,
    main: join(import.meta.dirname, '..', '..', 'test', 'support', 'processes', 'supervisedService.ts'),
    url: `http://127.0.0.1:${ports[n]}`,
    env: {
      CHILD_NAME: name,
      CHILD_PORT: String(ports[n]),
      CHILD_DIARY: join(folder, 'diary'),
      CHILD_FAULT: join(folder, `fault of ${name}`),
    },
  }))
}

test('a process that dies is restarted, and the others are left alone', async () => {
  await supervisor.start([await programs('one', 'two')], never)
  const [one, two] = [pidOf('one'), pidOf('two')]
  sendSignal(one, 'SIGKILL')
  await until('it is back', () => reported.length === 2)
  expect(reported).toEqual(['one has ended (SIGKILL) and starts again in 0.25 s', 'one is back'])
  expect(pidOf('one')).not.toBe(one)
  expect(pidOf('two')).toBe(two)
})

test('a process that cannot restart is retried for ever, with growing delays', async () => {
  const delays: number[] = []
  const impatient: Clock = {
    ...systemClock,
    delay: async (ms, signal) => {
      delays.push(ms)
      await systemClock.delay(1, signal)
    },
  }
  supervisor = supervisorWith({ clock: impatient })
  await supervisor.start([await programs('one')], never)
  writeFileSync(join(folder, 'fault of one'), '')
  sendSignal(pidOf('one'), 'SIGKILL')
  await until('it was tried often', () => delays.length >= 7)
  expect(delays.slice(0, 7)).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000])
  expect(reported[1]).toBe('one has ended (there is a fault) and starts again in 0.5 s')
  rmSync(join(folder, 'fault of one'))
  await until('it is back', () => reported.includes('one is back'))
})

test('a first start that fails names the reason, and the other processes can still be stopped', async () => {
  writeFileSync(join(folder, 'fault of two'), '')
  const starting = supervisor.start([await programs('one', 'two')], never)
  await expect(starting).rejects.toThrowError('two did not start: there is a fault')
  expect(reported).toEqual([])
})

test('an aborted start stops the processes that were started', async () => {
  const callingOff = new AbortController()
  const starting = supervisor.start([await programs('one'), await programs('two')], callingOff.signal)
  callingOff.abort()
  await expect(starting).rejects.toThrowError(/aborted/)
})

test('tiers are stopped in the reverse order, each after the one before has ended', async () => {
  await supervisor.start([await programs('engine'), await programs('gateway 1', 'gateway 2')], never)
  await supervisor.stop()
  const [engineTold, engineEnds] = diary().slice(-2)
  expect([engineTold, engineEnds]).toEqual(['engine received SIGTERM', 'engine ends'])
  expect(diary().filter((line) => line.startsWith('gateway'))).toHaveLength(4)
  expect(reported).toEqual([])
})

test('a process that does not drain in time is killed', async () => {
  supervisor = supervisorWith({ drainMs: 200 })
  const [one] = await programs('one')
  await supervisor.start([[{ ...one, env: { ...one?.env, CHILD_STUBBORN: '1' } } as Program]], never)
  await supervisor.stop()
  expect(diary()).toEqual(['one received SIGTERM'])
  expect(reported).toEqual(['one has not drained within 0.2 s and is killed'])
})

test('a signal is forwarded only to the programs that handle it', async () => {
  await supervisor.start([await programs('gateway 1', 'gateway 2', 'projector')], never)
  const pidBefore = pidOf('projector')
  // The programs of this test do not handle the signal, which ends them.
  supervisor.forwardSignal('SIGHUP', (name) => name.startsWith('gateway'))
  await until('both have ended', () => reported.filter((line) => line.includes('has ended')).length === 2)
  expect(reported.join('\n')).toMatch(/gateway 1 has ended/)
  expect(reported.join('\n')).toMatch(/gateway 2 has ended/)
  expect(pidOf('projector')).toBe(pidBefore)
})
