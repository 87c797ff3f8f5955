import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import { UNATTRIBUTED } from '../../test/support/events/ledgerEvents.ts'
import { until } from '../../test/support/time/until.ts'
import { readUnsettledCalls, UNSETTLED_CALLS_MAX, type UnsettledCall, UnsettledCalls } from './unsettledCalls.ts'

let dataDir: string
let folder: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tollgate-unsettled-'))
  folder = join(dataDir, 'unsettled')
})
afterEach(async () => {
  await chmod(dataDir, 0o700)
  await rm(dataDir, { recursive: true })
})

const AT = '2026-01-01T00:00:00.000Z'
function aCall(changes: Partial<UnsettledCall> = {}): UnsettledCall {
  return {
    call: {
      ...{ companyId: randomUUID(), callId: randomUUID(), keyId: randomUUID(), alias: 'svc/chat-default' },
      ...{ endpoint: '/chat/completions', streamed: true, admittedAt: AT, finishedAt: AT, label: 'team-a' },
      ...{ provider: 'first', costMicros: '12', costCurrency: 'usd', tokensCached: 4, tokensCacheWrite: null },
    },
    claim: { scope: 'a scope', holder: randomUUID() },
    from: 7,
    ...changes,
  }
}
const byId = (calls: readonly UnsettledCall[]) =>
  calls.map(({ call, claim, from }) => ({ call, claim, from })).sort((a, b) => (a.call.callId < b.call.callId ? -1 : 1))

test('calls recorded by one process are found by the next, and by a reader, until they are removed', async () => {
  const recorded = [aCall(), aCall({ claim: null })]
  const first = await UnsettledCalls.open(dataDir, systemClock)
  await Promise.all(recorded.map((call) => first.record(call)))
  const next = await UnsettledCalls.open(dataDir, systemClock)
  expect(byId((await next.list()).calls)).toEqual(byId(recorded))
  expect(byId((await readUnsettledCalls(dataDir)).calls)).toEqual(byId(recorded))
  for (const { call } of recorded) await next.remove(call.callId)
  expect(await first.list()).toEqual({ calls: [], damaged: [] })
  expect(await readdir(folder)).toEqual([])
})

test('removing a call that another process has removed has no effect', async () => {
  const calls = await UnsettledCalls.open(dataDir, systemClock)
  await calls.remove(randomUUID())
})

test('a call that is removed while it is being written leaves no file', async () => {
  const calls = await UnsettledCalls.open(dataDir, systemClock)
  const call = aCall()
  const recorded = calls.record(call)
  await calls.remove(call.call.callId)
  await recorded
  await until('no file is left', async () => (await readdir(folder)).length === 0)
})

test('only their owner can read the files, and a call recorded again has one file', async () => {
  const calls = await UnsettledCalls.open(dataDir, systemClock)
  const call = aCall()
  await calls.record(call)
  await calls.record({ ...call, from: 8 })
  const [name, ...others] = await readdir(folder)
  expect(others).toEqual([])
  expect((await stat(join(folder, name ?? ''))).mode & 0o777).toBe(0o600)
  expect((await calls.list()).calls).toMatchObject([{ from: 8 }])
})

test('a file of the previous version is read, without fields that version did not have', async () => {
  const calls = await UnsettledCalls.open(dataDir, systemClock)
  const [companyId, callId, keyId, holder] = Array.from({ length: 4 }, () => randomUUID())
  const call = {
    ...{ companyId, callId, keyId, alias: 'svc/chat-default', endpoint: '/chat/completions' },
    ...{ streamed: false, admittedAt: AT, finishedAt: AT },
  }
  const file = { version: 1, call, claim: { scope: 'a scope', holder }, from: 7, recordedAt: AT }
  await writeFile(join(folder, `${callId}.json`), `${JSON.stringify(file)}\n`)
  expect(await calls.list()).toEqual({
    calls: [{ ...file, version: 2, call: { ...call, ...UNATTRIBUTED } }],
    damaged: [],
  })
})

test('a damaged file is named and left in place', async () => {
  const calls = await UnsettledCalls.open(dataDir, systemClock)
  const files = ['{"version":1', '{"version":1}', '{"version":2}', '{"version":3}', 'null'].map((text, n) => ({
    file: join(folder, `${n}.json`),
    text,
  }))
  for (const { file, text } of files) await writeFile(file, text)
  expect(await calls.list()).toEqual({ calls: [], damaged: files.map(({ file }) => file) })
})

test('a start removes files that a killed process was writing, but not those of a live one', async () => {
  await UnsettledCalls.open(dataDir, systemClock)
  for (const name of ['old.json.1.partial', 'new.json.2.partial']) await writeFile(join(folder, name), '{')
  const twoMinutesAgo = Date.now() / 1_000 - 120
  await utimes(join(folder, 'old.json.1.partial'), twoMinutesAgo, twoMinutesAgo)
  const calls = await UnsettledCalls.open(dataDir, systemClock)
  expect(await readdir(folder)).toEqual(['new.json.2.partial'])
  expect(await calls.list()).toEqual({ calls: [], damaged: [] })
})

test('the number of files is bounded', async () => {
  const calls = await UnsettledCalls.open(dataDir, systemClock)
  // Spares the disk: calls count even if their files cannot be written.
  await rm(folder, { recursive: true })
  const refused = await Promise.allSettled(Array.from({ length: UNSETTLED_CALLS_MAX + 1 }, () => calls.record(aCall())))
  expect(refused.at(-1)).toMatchObject({ reason: { message: expect.stringContaining('recorded already') } })
})

test('a data folder without unsettled calls lists none', async () => {
  expect(await readUnsettledCalls(dataDir)).toEqual({ calls: [], damaged: [] })
})

test('a folder that cannot be created stops the start with the name of the setting', async () => {
  await writeFile(folder, 'a file')
  await expect(UnsettledCalls.open(dataDir, systemClock)).rejects.toThrow(/^DATA_DIR: .*unsettled cannot be written/)
})
