import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ERASED, PersonalData } from '../../capabilities/personalData/personalData.ts'
import { checkpointText } from '../../capabilities/transparency/checkpoint.ts'
import { signNote } from '../../capabilities/transparency/note.ts'
import {
  restoreSaltSecrets,
  type SavedSaltSecret,
  saltSecretPages,
} from '../../capabilities/transparency/savedSaltSecrets.ts'
import { CHECKPOINTS_STREAM } from '../../contracts/streams.ts'
import { startEmbeddedPostgres } from '../../platform/postgres/embedded/embeddedPostgres.ts'
import { signingKey } from '../../platform/secrets/noteKeys.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { writeAtomically } from '../../scripts/backup/backupFile.ts'
import { writeBackup } from '../../scripts/backup/writeBackup.ts'
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts'
import { patientDatabase } from '../support/databases/patientDatabase.ts'
import { ReadModels } from '../support/databases/readModels.ts'
import { MemoryEventStore } from '../support/eventStores/memoryEventStore.ts'
import { talentRegistered } from '../support/events/controlEvents.ts'
import { anEvent, collect } from '../support/events/events.ts'
import { anEventOf } from '../support/events/history.ts'
import { charged } from '../support/events/ledgerEvents.ts'
import { appendMixedHistory, type MixedHistory } from '../support/events/mixedHistory.ts'
import { runScript } from '../support/processes/runScript.ts'
import { until } from '../support/time/until.ts'

const ROOT = join(import.meta.dirname, '..', '..')

let folder: string
let source: ReadModels
let env: Record<string, string>
let history: MixedHistory
let saved: string
/** The newest checkpoint that the log of the source has published. */
let checkpoint: string
type Sealed = { readonly subject: string; readonly stored: string }
let people: { readonly ada: Sealed; readonly erased: Sealed }
const logSecrets: SavedSaltSecret[] = [
  { companyId: randomUUID(), secret: Buffer.alloc(32, 7).toString('base64'), createdAt: '2026-02-01T00:00:00.000Z' },
]
const targets: TestDatabase[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-backup-'))
  source = await ReadModels.open()
  env = { DATABASE_URL: source.database.url }
  const { companies, events } = await appendMixedHistory(source.store, { companies: 2 })
  await source.store.append(CHECKPOINTS_STREAM, 'any', [anEventOf(signed(ORIGIN, 4))])
  history = { companies, events: events + 1 }
  checkpoint = join(folder, 'checkpoint')
  await writeFile(checkpoint, signed(ORIGIN, 4).data.note)
  const personal = new PersonalData(source.database)
  const sealedName = async (name: string) => {
    const talentId = randomUUID()
    const { data } = await personal.protect(anEventOf(talentRegistered(talentId, randomUUID(), name)))
    return { subject: `talent-${talentId}`, stored: String(data.name) }
  }
  people = { ada: await sealedName('Ada'), erased: await sealedName('Bob') }
  await personal.erase(people.erased.subject)
  await restoreSaltSecrets(source.database, logSecrets)
  for (const projection of PROJECTIONS) source.run(projection)
  await source.caughtUp(...PROJECTIONS)
  saved = join(folder, 'saved.gz')
  expect(await runScript('backup.ts', [saved], env)).toMatchObject({ code: 0, stderr: '' })
})
afterEach(async () => {
  for (const target of targets.splice(0)) await target.drop()
})
afterAll(async () => {
  await source.close()
  await rm(folder, { recursive: true })
})

/** The origin that the log of the mixed history ends with. */
const ORIGIN = 'log.example/2'

function signed(origin: string, size: number) {
  const root = Buffer.alloc(32, size)
  const note = signNote(checkpointText({ origin, size, root }), [signingKey(origin, Buffer.alloc(32))])
  const data = { origin, size, root: root.toString('base64'), note, signedAt: '2026-02-01T00:00:00.000Z' }
  return { type: 'CheckpointSigned', data } as const
}

/** A database without events; with tables, a command does not have to make them. */
async function emptyTarget(contents: 'empty' | 'migrated' = 'migrated'): Promise<Record<string, string>> {
  const target = await createTestDatabase(contents)
  targets.push(target)
  return { DATABASE_URL: target.url }
}

/** A session that is not one of Tollgate's. */
async function ask(url: string | undefined, query: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}

const linesOf = (bytes: Buffer) => gunzipSync(bytes).toString().trimEnd().split('\n')
/** Without the indexes in the transparency log, which only restored events have. */
const eventLines = async (file: string) =>
  linesOf(await readFile(file))
    .filter((line) => line.startsWith('{"stream"'))
    .map((line) => line.replace(/,"logIndex":\d+/, ''))

describe('a backup', () => {
  test('holds every event, and its own checksum and counts, which other tools can check', async () => {
    const { code, stdout } = await runScript('restore.ts', [saved, '--check', '--json'], {})
    const facts = JSON.parse(stdout)
    expect(facts).toMatchObject({ file: saved, version: 3, events: history.events, idsAreUnique: true })
    expect(facts.position).toBe(await source.store.head())
    const content = gunzipSync(await readFile(saved))
    const lastLine = content.lastIndexOf('\n', content.length - 2) + 1
    expect(createHash('sha256').update(content.subarray(0, lastLine)).digest('hex')).toBe(facts.sha256)
    expect(code).toBe(0)
  })

  test('is readable by its owner only, replaces an earlier file once complete, and leaves no temporary file', async () => {
    const file = join(folder, 'again.gz')
    await writeFile(file, 'an earlier one', { mode: 0o644 })
    const { code, stdout } = await runScript('backup.ts', [file, '--json'], env)
    expect(JSON.parse(stdout)).toMatchObject({ file, events: history.events })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await eventLines(file)).toEqual(await eventLines(saved))
    expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([])
    expect(code).toBe(0)
  })

  test('goes to standard output, with nothing else', async () => {
    const child = spawn(process.execPath, ['scripts/backup.ts', '-'], { cwd: ROOT, env: { ...process.env, ...env } })
    const chunks: Buffer[] = []
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    await once(child, 'close')
    expect(linesOf(Buffer.concat(chunks)).slice(1, -1)).toEqual(linesOf(await readFile(saved)).slice(1, -1))
    expect(stderr).toContain(`${history.events} events`)
  })

  test('of an empty store can be restored', async () => {
    const file = join(folder, 'empty.gz')
    expect(await runScript('backup.ts', [file], await emptyTarget())).toMatchObject({ code: 0 })
    const { code, stdout } = await runScript('restore.ts', [file, '--json'], await emptyTarget())
    expect(JSON.parse(stdout)).toMatchObject({ events: 0, appended: 0 })
    expect(code).toBe(0)
  })

  test('that cannot be written prints one line and leaves the earlier file', async () => {
    const { code, stderr } = await runScript('backup.ts', [join(folder, 'no', 'such', 'folder.gz')], env)
    expect(stderr).toMatch(/^tollgate: .* cannot be written \(ENOENT\)\n$/)
    expect(code).toBe(1)
  })
})

describe('after a restore into an empty store', () => {
  let target: Record<string, string>

  async function restored(): Promise<Record<string, string>> {
    const into = await emptyTarget('empty')
    const args = [saved, '--last-checkpoint', checkpoint, '--json']
    const { code, stdout, stderr } = await runScript('restore.ts', args, into)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ events: history.events, found: 0, appended: history.events, copies: 0 })
    expect(JSON.parse(stdout).log).toMatchObject({ origin: ORIGIN, isNew: false })
    return into
  }

  test('hashes, positions, audits, a new backup and readable personal data equal those of the saved store', async () => {
    target = await restored()
    const onBoth = (script: string, ...args: string[]) =>
      Promise.all([runScript(script, args, target), runScript(script, args, env)])
    const [hashes, hashesOfSource] = await onBoth('hash.ts')
    expect(hashes.stdout.trim().split('\n')).toHaveLength(PROJECTIONS.length)
    expect(hashes.stdout).toBe(hashesOfSource.stdout)
    for (const companyId of history.companies) {
      const [audit, auditOfSource] = await onBoth('audit.ts', companyId, '--json')
      expect(audit.stdout).toBe(auditOfSource.stdout)
      expect(JSON.parse(audit.stdout).matches).toBe(true)
      expect(audit.code).toBe(0)
    }
    const again = join(folder, 'of-the-restored.gz')
    await runScript('backup.ts', [again], target)
    expect(await eventLines(again)).toEqual(await eventLines(saved))
    const database = patientDatabase({ url: target.DATABASE_URL ?? '' })
    const there = new PersonalData(database)
    expect(await there.revealAll([people.ada.stored, people.erased.stored])).toEqual(['Ada', ERASED])
    expect((await collect(saltSecretPages(database, 10))).flat()).toEqual(logSecrets)
    await database.close()
  })

  test('the relay starts with topics of a new name, because the old ones belong to another store', async () => {
    target = await emptyTarget()
    const relay = `select feed_id, position, (select count(*)::int from feed.partitions) as partitions,
      (select count(*)::int from platform.hold_companies) as capped from feed.relay`
    await ask(target.DATABASE_URL, "update feed.relay set position = '0000000000000009'")
    await ask(target.DATABASE_URL, "insert into feed.partitions values ('ledger/0', '0000000000000009')")
    await ask(target.DATABASE_URL, "insert into platform.hold_companies values ('a', '0000000000000009')")
    const [before] = await ask(target.DATABASE_URL, relay)
    expect(await runScript('restore.ts', [saved], target)).toMatchObject({ code: 0 })
    const [after] = await ask(target.DATABASE_URL, relay)
    expect(after).toMatchObject({ position: '', partitions: 0, capped: 0 })
    expect(after?.feed_id).toMatch(/^[0-9a-f]{12}$/)
    expect(after?.feed_id).not.toBe(before?.feed_id)
  })
})

describe('a damaged backup is refused before anything is written', () => {
  test('when its last byte is missing (other damage: readBackup.test.ts)', async () => {
    const file = join(folder, 'damaged.gz')
    await writeFile(file, (await readFile(saved)).subarray(0, -1))
    const target = await emptyTarget('empty')
    const { code, stdout, stderr } = await runScript('restore.ts', [file], target)
    expect(stderr).toBe(`tollgate: ${file} is cut off: its end is missing\n`)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(await ask(target.DATABASE_URL, "select 1 from pg_namespace where nspname = 'event_store'")).toEqual([])
  })

  test('events that this program cannot read are saved as they are, and restored by one that can', async () => {
    const newer = await ReadModels.open()
    try {
      await newer.store.append('ledger-1', 'any', [anEvent({ of: 'the future' })])
      const file = join(folder, 'newer.gz')
      expect(await runScript('backup.ts', [file], { DATABASE_URL: newer.database.url })).toMatchObject({ code: 0 })
      expect((await eventLines(file))[0]).toContain('the future')
      const { code, stderr } = await runScript('restore.ts', [file], await emptyTarget())
      expect(stderr).toMatch(/SomethingHappened is not known to this program: update the program\n$/)
      expect(code).toBe(1)
    } finally {
      await newer.close()
    }
  })
})

describe('a restore into a store that is not empty', () => {
  test('is refused with the name of a stored event, and changes nothing', async () => {
    const target = await ReadModels.open()
    const companyId = randomUUID()
    await target.appendToLedger(companyId, charged(companyId))
    const env = { DATABASE_URL: target.database.url }
    await target.store.close()
    await target.database.close()
    const { code, stderr } = await runScript('restore.ts', [saved], env)
    expect(stderr).toMatch(/^tollgate: the event store holds CallCharged .* a restore needs an empty store\n$/)
    expect(stderr).toContain(companyId)
    expect(code).toBe(1)
    expect(await ask(env.DATABASE_URL, 'select count(*)::int as events from event_store.events')).toEqual([
      { events: 1 },
    ])
    expect(await ask(env.DATABASE_URL, 'select 1 from read_models.checkpoints')).toEqual([])
  })

  test('is refused if the database holds another log secret of a company, before anything is written', async () => {
    const target = await emptyTarget()
    const insert = `insert into platform.log_secrets (company_id, secret)
      values ('${logSecrets[0]?.companyId}', decode(repeat('08', 32), 'hex'))`
    await ask(target.DATABASE_URL, insert)
    const { code, stderr } = await runScript('restore.ts', [saved], target)
    expect(stderr).toMatch(/^tollgate: the database holds another log secret of company .* than the backup/)
    expect(code).toBe(1)
    expect(await ask(target.DATABASE_URL, 'select 1 from event_store.events')).toEqual([])
    expect(await ask(target.DATABASE_URL, 'select 1 from platform.unfinished_restore')).toEqual([])
  })

  test('is refused while Tollgate runs on the database', async () => {
    const { code, stderr } = await runScript('restore.ts', [saved], env)
    expect(stderr).toMatch(/^tollgate: other Tollgate processes use this database \(\d+ sessions\)/)
    expect(code).toBe(1)
  })
})

describe('an interrupted restore', () => {
  const events = 12_000
  let large: string

  beforeAll(async () => {
    const store = new MemoryEventStore()
    const companyId = randomUUID()
    const charges = Array.from({ length: events - 1 }, () => anEventOf(charged(companyId)))
    store.write(`ledger-${companyId}`, 'none', charges)
    store.write(CHECKPOINTS_STREAM, 'none', [anEventOf(signed('log.test', 1))])
    large = join(folder, 'large.gz')
    const createdAt = '2026-03-01T00:00:00.000Z'
    const { signal } = new AbortController()
    await writeAtomically(large, (to) => writeBackup({ store, to, createdAt, signal, onProgress: () => {} }))
  })

  test.each(['SIGKILL', 'SIGTERM'] as const)('by %s can be run again and restores every event once', async (signal) => {
    const target = await emptyTarget()
    const child = spawn(process.execPath, ['scripts/restore.ts', large], {
      cwd: ROOT,
      env: { ...process.env, ...target },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const exited = once(child, 'exit')
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const stored = async () => {
      const count = 'select position::int as events from event_store.counter'
      return Number((await ask(target.DATABASE_URL, count).catch(() => []))[0]?.events ?? 0)
    }
    await until('some events are there', async () => (await stored()) > 0)
    child.kill(signal)
    const [code] = await exited
    if (signal === 'SIGTERM') {
      expect(stderr).toBe('tollgate: stopped by SIGTERM: run the restore again to continue\n')
      expect(code).toBe(1)
    }
    const there = await stored()
    expect(there).toBeLessThan(events)
    const refused = await runScript('hash.ts', [], target)
    expect(refused.stderr).toMatch(
      new RegExp(`^tollgate: the restore of ${large} .* is not finished.*: npm run restore -- ${large}\\n$`),
    )
    expect(refused.code).toBe(1)
    const again = await runScript('restore.ts', [large, '--json'], target)
    expect(again.stderr).toBe('')
    const { found, appended, log } = JSON.parse(again.stdout)
    expect(found).toBeGreaterThanOrEqual(there)
    expect(found + appended).toBe(events)
    expect(log).toMatchObject({ origin: expect.stringMatching(/^log\.test\/r\d{14}$/), isNew: true, vkey: null })
    const copy = join(folder, 'copy.gz')
    await runScript('backup.ts', [copy], target)
    const copied = await eventLines(copy)
    expect(copied.slice(0, -1)).toEqual(await eventLines(large))
    expect(copied.at(-1)).toContain(log.origin)
  })
})

describe('an embedded installation', () => {
  test('is created by a restore, can be backed up, and refuses a restore while it runs', async () => {
    const DATA_DIR = join(folder, 'data')
    const { code, stdout } = await runScript('restore.ts', [saved], { DATA_DIR })
    expect(stdout).toMatch(
      /^\d+ events restored .*\nThe transparency log continues under a new origin, (log\.example\/2\/r\d{14}) .* verifier key: \1\+/,
    )
    expect(code).toBe(0)
    const again = join(folder, 'embedded.gz')
    expect(await runScript('backup.ts', [again], { DATA_DIR })).toMatchObject({ code: 0 })
    const [started, ...others] = (await eventLines(again)).toReversed()
    expect(others.toReversed()).toEqual(await eventLines(saved))
    expect(started).toContain('LogOriginStarted')
    // The positions differ by that event.
    const hashesOf = async (of: Record<string, string>) =>
      (await runScript('hash.ts', [], of)).stdout.split('\n').map((line) => line.replace(/ .* /, ' '))
    expect(await hashesOf({ DATA_DIR })).toEqual(await hashesOf(env))
    const running = await startEmbeddedPostgres({ dataDir: DATA_DIR })
    try {
      // No sealer has read the restored events yet.
      const database = patientDatabase({ url: running.url })
      const rows = await database.query<{ origin: string }>('select origin from ledger_log.progress')
      await database.close()
      expect(rows).toEqual([{ origin: stdout.match(/log\.example\/2\/r\d{14}/)?.[0] }])
      const { code, stderr } = await runScript('restore.ts', [saved], { DATA_DIR })
      expect(stderr).toMatch(/^tollgate: The data folder .* is in use by process \d+/)
      expect(code).toBe(1)
      expect(await runScript('backup.ts', [again], { DATA_DIR })).toMatchObject({ code: 0 })
    } finally {
      await running.stop()
    }
  })
})

describe('wrong usage', () => {
  test.each([
    ['backup.ts', 'no file', []],
    ['backup.ts', 'two files', ['a', 'b']],
    ['backup.ts', 'an unknown option', ['a', '--fast']],
    ['restore.ts', 'no file', []],
    ['restore.ts', 'two files', ['a', 'b']],
  ])('%s, %s: exit code 2, with the usage', async (script, _, args) => {
    const { code, stdout, stderr } = await runScript(script, args, {})
    expect(stderr).toContain(`usage: npm run ${script.replace('.ts', '')} -- <file>`)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  test('a file that is not there: exit code 1', async () => {
    const { code, stderr } = await runScript('restore.ts', [join(folder, 'none.gz')], {})
    expect(stderr).toMatch(/^tollgate: there is no file .*none\.gz\n$/)
    expect(code).toBe(1)
  })

  test('a checkpoint that is not one of the log: exit code 1', async () => {
    const other = join(folder, 'other-checkpoint')
    await writeFile(other, signed('other.test', 4).data.note)
    const { code, stderr } = await runScript('restore.ts', [saved, '--last-checkpoint', other, '--check'], {})
    expect(stderr).toMatch(/^tollgate: the checkpoint has the origin other\.test, but .* origin log\.example\/2\n$/)
    expect(code).toBe(1)
  })

  test.each(['backup.ts', 'restore.ts'])('%s --help prints the usage', async (script) => {
    const { code, stdout } = await runScript(script, ['--help'], {})
    expect(stdout).toContain('--json')
    expect(code).toBe(0)
  })
})
