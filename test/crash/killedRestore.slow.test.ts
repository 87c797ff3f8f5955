import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { writeAtomically } from '../../scripts/backup/backupFile.ts'
import { writeBackup } from '../../scripts/backup/writeBackup.ts'
import { anEventOf } from '../support/history.ts'
import { type Installation, makeInstallation } from '../support/installation.ts'
import { charged } from '../support/ledgerEvents.ts'
import { MemoryEventStore } from '../support/memoryEventStore.ts'
import { until } from '../support/until.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const TEST_MS_MAX = 180_000
const EVENTS = 12_000

test('a start on a half-restored folder is refused with the command that finishes the restore', {
  timeout: TEST_MS_MAX,
}, async () => {
  const installation = await makeInstallation()
  onTestFinished(() => installation.stop())
  const file = join(installation.folder, 'the saved events.gz')
  await saveEvents(file)

  const restore = spawn(process.execPath, ['scripts/restore.ts', file], {
    cwd: ROOT,
    env: { ...process.env, ...installation.env },
    stdio: 'ignore',
  })
  const exited = once(restore, 'exit')
  await until('some events are restored', async () => (await eventsIn(installation)) > 0)
  restore.kill('SIGKILL')
  await exited
  expect(await eventsIn(installation)).toBeLessThan(EVENTS)

  const npm = installation.begin()
  await Promise.race([npm.exited, npm.line(/^See the charge:/)])
  expect(npm.lines).toEqual([expect.stringContaining('is not finished')])
  expect(npm.exit).toEqual({ code: 1, signal: null })
  expect(await installation.processesLeft()).toEqual([])

  const command = npm.lines.join('').slice(npm.lines.join('').indexOf('npm run'))
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    cwd: ROOT,
    env: { ...process.env, ...installation.env },
  })
  expect(stdout).toContain(`${EVENTS} events restored`)
  await installation.startAgain()
})

async function saveEvents(file: string): Promise<void> {
  const store = new MemoryEventStore()
  const companyId = randomUUID()
  for (let n = 0; n < EVENTS; n++) store.write(`ledger-${companyId}`, 'any', [anEventOf(charged(companyId))])
  const { signal } = new AbortController()
  const createdAt = '2026-03-01T00:00:00.000Z'
  await writeAtomically(file, (to) => writeBackup({ store, to, createdAt, signal, onProgress: () => {} }))
}

async function eventsIn(installation: Installation): Promise<number> {
  const client = new Client({
    connectionString: await installation.databaseUrl().catch(() => 'postgres://127.0.0.1:1/'),
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select position::int as events from event_store.counter')
    return rows[0]?.events ?? 0
  } catch {
    return 0
  } finally {
    await client.end().catch(() => {})
  }
}
