import { getPriority } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestTask } from '../../test/support/processes/testThread.ts'
import { jumpingClock } from '../../test/support/time/jumpingClock.ts'
import { until } from '../../test/support/time/until.ts'
import { systemClock } from '../clock/clock.ts'
import { ThreadPool, ThreadsBusy } from './threadPool.ts'

const PROGRAM = new URL('../../test/support/processes/testThread.ts', import.meta.url)
let pool: ThreadPool<TestTask, Uint8Array<ArrayBuffer>>
beforeEach(() => {
  pool = new ThreadPool({ program: PROGRAM, clock: systemClock })
})
afterEach(() => pool.close())

const reversed = async (text: string, owner = 'a', by = pool) => {
  const bytes = new TextEncoder().encode(text)
  const result = by.run({ type: 'reverse', bytes }, { owner, transfer: [bytes.buffer] })
  return Buffer.from(await result).toString()
}

test('tasks are answered on a thread; their memory is transferred there and back', async () => {
  const bytes = new TextEncoder().encode('abc')
  const result = pool.run({ type: 'reverse', bytes }, { owner: 'a', transfer: [bytes.buffer] })
  await Promise.resolve()
  expect(Buffer.from(await result).toString()).toBe('cba')
  expect(bytes.byteLength).toBe(0)
})

test.runIf(process.platform === 'linux')('tasks give way to the thread that answers requests', async () => {
  const own = getPriority()
  const [niceness] = await pool.run({ type: 'niceness' }, { owner: 'a' })
  expect(niceness).toBeGreaterThan(own)
  expect(getPriority()).toBe(own)
})

test('a thread that waits for its next task does not keep the result of the last one in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const refOfResult = async () => {
    const bytes = new Uint8Array(1_000)
    return new WeakRef(await pool.run({ type: 'reverse', bytes }, { owner: 'a', transfer: [bytes.buffer] }))
  }
  const result = await refOfResult()
  await until('the result is collected', async () => {
    collectGarbage()
    return result.deref() === undefined
  })
})

test('many tasks of several owners all get their own answer', async () => {
  const texts = Array.from({ length: 40 }, (_, n) => `text ${n}`)
  const answers = await Promise.all(texts.map((text, n) => reversed(text, `owner ${n % 3}`)))
  expect(answers).toEqual(texts.map((text) => [...text].reverse().join('')))
})

test.each([
  ['throws an error', 'throw'],
  ['ends its thread', 'exit'],
] as const)('a task that %s fails alone, without the text of its error', async (_, type) => {
  const failed = await pool.run({ type }, { owner: 'a' }).catch((error: unknown) => error)
  expect(failed).toMatchObject({ name: 'TaskFailed' })
  expect(String(failed)).not.toContain('confidential')
  expect(await reversed('abc')).toBe('cba')
})

test('a task that takes too long is ended, while the tasks of other owners are answered', async () => {
  const clock = jumpingClock()
  const quick = new ThreadPool<TestTask, Uint8Array<ArrayBuffer>>({ program: PROGRAM, clock, taskMs: 60_000 })
  const hanging = quick.run({ type: 'hang' }, { owner: 'slow' }).catch((error: unknown) => error)
  expect(await reversed('abc', 'other', quick)).toBe('cba')
  clock.jump(60_000)
  expect(String(await hanging)).toContain('longer than 60000 ms')
  expect(await reversed('abc', 'slow', quick)).toBe('cba')
  await quick.close()
})

test('one owner can have only so many tasks waiting; others still get in', async () => {
  const hanging = pool.run({ type: 'hang' }, { owner: 'greedy' }).catch(() => 'ended')
  const waiting = Array.from({ length: 60 }, () => reversed('abc', 'greedy').catch((error: unknown) => error))
  const refused = await Promise.race(waiting)
  expect(refused).toBeInstanceOf(ThreadsBusy)
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  expect(await reversed('abc', 'other')).toBe('cba')
  await pool.close()
  expect(await hanging).toBe('ended')
})
