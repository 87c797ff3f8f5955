import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { memorySharedState } from '../../../platform/sharedState/memorySharedState.ts'
import { steppedClock } from '../../../test/support/time/steppedClock.ts'
import { AppLogs, LOG_TAIL_BYTES_MAX } from './appLogs.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-logs-'))
  file = join(folder, 'tollgate.log')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const { logFanOut } = memorySharedState(steppedClock(0))
const line = (msg: string, fields: object = {}, level = 30) =>
  `${JSON.stringify({ level, time: '2026-03-01T10:00:00.000Z', ...fields, msg })}\n`

async function logsOf(text: string): Promise<AppLogs> {
  writeFileSync(file, text)
  const logs = new AppLogs(file, 'tollgate')
  await logs.start(logFanOut)
  return logs
}

test('the log file is read if there is one, without a subscription to the live log', async () => {
  const logs = await logsOf(line('first') + line('second', { service: 'gateway 1', count: 7 }))
  expect(logFanOut.hasReaders).toBe(false)
  const { source, entries } = await logs.find({ limit: 10 })
  expect(source).toBe('file')
  expect(entries).toMatchObject([
    { message: 'second', service: 'gateway 1', level: 'info', context: { count: 7 } },
    { message: 'first', service: 'tollgate', context: {} },
  ])
  appendFileSync(file, line('third'))
  expect((await logs.find({ limit: 1 })).entries).toMatchObject([{ message: 'third' }])
})

test('only the end of a long file is searched, and lines that are not entries are skipped', async () => {
  const long = line('x'.repeat(1000))
  const logs = await logsOf(line('at the beginning') + long.repeat(Math.ceil(LOG_TAIL_BYTES_MAX / long.length) + 5))
  appendFileSync(file, 'no JSON\n')
  appendFileSync(file, line('at the end'))
  expect((await logs.find({ text: 'at the', limit: 10 })).entries.map(({ message }) => message)).toEqual(['at the end'])
})

test('without a file, entries are collected in memory', async () => {
  const logs = new AppLogs(file, 'tollgate')
  await logs.start(logFanOut)
  for (let n = 0; n < 3; n++) {
    logFanOut.publish({
      timestamp: '2026-03-01T10:00:00.000Z',
      level: 'error',
      message: `${n}`,
      context: {},
      service: 'ai',
    })
  }
  await Promise.resolve()
  await new Promise(setImmediate)
  const { source, entries } = await logs.find({ level: 'error', limit: 2 })
  expect(source).toBe('memory')
  expect(entries.map(({ message }) => message)).toEqual(['2', '1'])
  logs.close()
  expect(logFanOut.hasReaders).toBe(false)
})
