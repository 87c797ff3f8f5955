import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Clock, systemClock } from '../../services/platform/clock/clock.ts'
import { sendSignal } from '../../services/platform/postgres/embedded/sendSignal.ts'
import { onAbruptExit } from '../../test/support/exitSteps.ts'
import { reusablePorts } from '../../test/support/reusablePorts.ts'
import { until } from '../../test/support/until.ts'
import type { Program } from './serviceProcess.ts'
import { type RunningProcess, Supervisor } from './supervisor.ts'

let folder: string
let told: string[]
let running: readonly RunningProcess[]
let supervisor: Supervisor
let callOff: () => void
const diary = () => readFileSync(join(folder, 'diary'), 'utf8').trim().split('\n')
const pidOf = (name: string) => running.find((process) => process.name === name)?.pid ?? 0
const never = new AbortController().signal

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), `tollgate-test-${process.pid}-`))
  told = []
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
    tell: (line) => told.push(line),
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
    main: join(import.meta.dirname, '..', '..', 'test', 'support', 'supervisedService.ts'),
    url: `http://127.0.0.1:${ports[n]}`,
    env: {
      CHILD_NAME: name,
      CHILD_PORT: String(ports[n]),
      CHILD_DIARY: join(folder, 'diary'),
      CHILD_FAULT: join(folder, `fault of ${name}`),
    },
  }))
}

test('what dies is started again, and the others are left alone', async () => {
  await supervisor.start([await programs('one', 'two')], never)
  const [one, two] = [pidOf('one'), pidOf('two')]
  sendSignal(one, 'SIGKILL')
  await until('it is back', () => told.length === 2)
  expect(told).toEqual(['one has ended (SIGKILL) and starts again in 0.25 s', 'one is back'])
  expect(pidOf('one')).not.toBe(one)
  expect(pidOf('two')).toBe(two)
})

test('what cannot start again is tried more and more slowly, and for ever', async () => {
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
  expect(told[1]).toBe('one has ended (there is a fault) and starts again in 0.5 s')
  rmSync(join(folder, 'fault of one'))
  await until('it is back', () => told.includes('one is back'))
})

test('a first start that fails says why, and leaves the others to be stopped', async () => {
  writeFileSync(join(folder, 'fault of two'), '')
  const starting = supervisor.start([await programs('one', 'two')], never)
  await expect(starting).rejects.toThrowError('two did not start: there is a fault')
  expect(told).toEqual([])
})

test('a start that is called off ends what has begun', async () => {
  const callingOff = new AbortController()
  const starting = supervisor.start([await programs('one'), await programs('two')], callingOff.signal)
  callingOff.abort()
  await expect(starting).rejects.toThrowError(/aborted/)
})

test('the last to start are the first to end, and the next wait for them', async () => {
  await supervisor.start([await programs('engine'), await programs('gateway 1', 'gateway 2')], never)
  await supervisor.stop()
  const [engineTold, engineEnds] = diary().slice(-2)
  expect([engineTold, engineEnds]).toEqual(['engine is told to end', 'engine ends'])
  expect(diary().filter((line) => line.startsWith('gateway'))).toHaveLength(4)
  expect(told).toEqual([])
})

test('what does not drain in time is killed', async () => {
  supervisor = supervisorWith({ drainMs: 200 })
  const [one] = await programs('one')
  await supervisor.start([[{ ...one, env: { ...one?.env, CHILD_STUBBORN: '1' } } as Program]], never)
  await supervisor.stop()
  expect(diary()).toEqual(['one is told to end'])
  expect(told).toEqual(['one has not drained within 0.2 s and is killed'])
})

test('a signal is passed on to those that it is meant for, and to no other', async () => {
  await supervisor.start([await programs('gateway 1', 'gateway 2', 'projector')], never)
  const pidBefore = pidOf('projector')
  // The programs of this test do not know the signal and end of it.
  supervisor.passOn('SIGHUP', (name) => name.startsWith('gateway'))
  await until('both have ended', () => told.filter((line) => line.includes('has ended')).length === 2)
  expect(told.join('\n')).toMatch(/gateway 1 has ended/)
  expect(told.join('\n')).toMatch(/gateway 2 has ended/)
  expect(pidOf('projector')).toBe(pidBefore)
})
