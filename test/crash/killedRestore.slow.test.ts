import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { writeAtomically } from '../../scripts/backup/backupFile.ts'
import { writeBackup } from '../../scripts/backup/writeBackup.ts'
import { createTestDatabase } from '../support/databases/database.ts'
import { MemoryEventStore } from '../support/eventStores/memoryEventStore.ts'
import { anEventOf } from '../support/events/history.ts'
import { charged } from '../support/events/ledgerEvents.ts'
import { type Installation, makeInstallation } from '../support/harness/installation.ts'
import { startTestSandbox } from '../support/harness/sandbox.ts'
import { runScript } from '../support/processes/runScript.ts'
import { until } from '../support/time/until.ts'
import { openBooks } from './installationBooks.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const BUILT_MS_MAX = 60_000
const EVENTS = 12_000
const UNDEFINED_TABLE = '42P01'

test('a start on a half-restored folder is refused with the command that finishes the restore', async () => {
  const installation = await makeInstallation()
  onTestFinished(() => installation.stop())
  const file = join(installation.folder, 'the saved events.gz')
  await saveEvents(file)

  await killRestore(installation, file)

  const npm = installation.begin()
  await Promise.race([npm.exited, npm.line(/^See the charge:/)])
  expect(npm.lines).toEqual([expect.stringContaining('is not finished')])
  expect(npm.exit).toEqual({ code: 1, signal: null })
  expect(await installation.processesLeft()).toEqual([])

  expect(await runSuggested(npm.lines.join(''), installation)).toContain(
    `${EVENTS} events restored and all read models built`,
  )
  await installation.startAgain()
})

test('a restore leaves the read models to the next start, also after a kill, which builds the same', async () => {
  const later = await makeInstallation()
  onTestFinished(() => later.stop())
  const now = await createTestDatabase('migrated')
  onTestFinished(() => now.drop())
  const file = join(later.folder, 'saved.gz')
  await saveEvents(file)
  const hashesOf = async (env: Record<string, string>) => {
    const { stdout, stderr } = await runScript('hash.ts', ['--json'], env)
    const hashes = JSON.parse(stdout) as { name: string; rows: number; hash: string }[]
    // A start adds the company of the demo, which makes no calls.
    return {
      stderr,
      calls: hashes.filter(({ name }) => ['calls', 'usage', 'key-spend', 'daily-margins'].includes(name)),
    }
  }

  await killRestore(later, file, '--read-models', 'later')
  const refused = await runScript('hash.ts', [], later.env)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is not finished') })
  expect(await runSuggested(refused.stderr, later)).toContain('The read models are not built yet')
  const empty = await hashesOf(later.env)
  expect(empty.stderr).toContain('not built yet: credit-balances, credit-transactions')
  expect(empty.calls.map(({ rows }) => rows)).toEqual([0, 0, 0, 0])

  const sandbox = await startTestSandbox()
  onTestFinished(() => sandbox.close())
  const provider = { STRIPE_API_BASE: sandbox.url, STRIPE_SECRET_KEY: 'sk_test_of_the_tests' }
  const reconciled = await runScript('reconcile.ts', ['--month', '2026-03'], { ...later.env, ...provider })
  expect(reconciled.stderr).toContain('not built yet: trail, daily-margins')

  const nowEnv = { DATABASE_URL: now.url }
  expect(await runScript('restore.ts', [file], nowEnv)).toMatchObject({ code: 0 })
  const built = await hashesOf(nowEnv)
  expect(built.stderr).toBe('')
  expect(built.calls.find(({ name }) => name === 'calls')?.rows).toBe(EVENTS)

  await later.startAgain()
  const books = openBooks(await later.databaseUrl(), later.demo.companyId)
  onTestFinished(() => books.close())
  const isTheSame = async () => {
    const current = await books.hashes()
    return built.calls.every(({ name, hash }) => current[name] === hash)
  }
  await until('the start has built the same', isTheSame, BUILT_MS_MAX)
})

/** Runs the command at the end of a refusal as an operator would, and returns what it prints. */
async function runSuggested(refusal: string, { env }: Installation): Promise<string> {
  const command = refusal.slice(refusal.indexOf('npm run'))
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: ROOT, env: { ...process.env, ...env } })
  return stdout
}

/** Kills a restore of the file when a part of the events is stored. */
async function killRestore(installation: Installation, file: string, ...options: string[]): Promise<void> {
  const restore = spawn(process.execPath, ['scripts/restore.ts', file, ...options], {
    cwd: ROOT,
    env: { ...process.env, ...installation.env },
    stdio: 'ignore',
  })
  const exited = once(restore, 'exit')
  // Over one connection, because a busy machine takes as long for a new one as the restore takes.
  const client = await until('the database is there', () => connected(installation))
  await until('some events are restored', async () => (await eventsIn(client)) > 0)
  restore.kill('SIGKILL')
  await exited
  expect(await eventsIn(client)).toBeLessThan(EVENTS)
  await client.end()
}

async function saveEvents(file: string): Promise<void> {
  const store = new MemoryEventStore()
  const companyId = randomUUID()
  const events = Array.from({ length: EVENTS }, () => anEventOf(charged(companyId)))
  store.write(`ledger-${companyId}`, 'none', events)
  const { signal } = new AbortController()
  const createdAt = '2026-03-01T00:00:00.000Z'
  await writeAtomically(file, (to) => writeBackup({ store, to, createdAt, signal, onProgress: () => {} }))
}

/** Null while the restore has not started the database. */
async function connected(installation: Installation): Promise<Client | null> {
  const client = new Client({
    connectionString: await installation.databaseUrl().catch(() => 'postgres://127.0.0.1:1/'),
  })
  client.on('error', () => {})
  return client.connect().then(
    () => client,
    () => null,
  )
}

/** None before the tables are there. */
async function eventsIn(client: Client): Promise<number> {
  const counted = client.query('select position::int as events from event_store.counter')
  const found = await counted.catch((error: { code?: string }) => {
    if (error.code === UNDEFINED_TABLE) return null
    throw error
  })
  return found?.rows[0]?.events ?? 0
}
