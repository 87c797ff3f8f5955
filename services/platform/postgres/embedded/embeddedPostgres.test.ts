import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { processesOn, startInChild } from '../../../../test/support/embeddedPostgresChild.ts'
import { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './embeddedPostgres.ts'
import * as ports from './freePort.ts'

vi.mock('./freePort.ts', { spy: true })

let template: string
let dataDir: string
let server: EmbeddedPostgres | undefined

beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), 'tollgate-embedded-'))
  const made = await startEmbeddedPostgres({ dataDir: template })
  await query(made.url, 'create table kept (id int primary key)')
  await made.stop()
})

afterAll(() => rm(template, { recursive: true }))

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tollgate-embedded-'))
})

afterEach(async () => {
  await server?.stop()
  server = undefined
  expect(await processesOn(join(dataDir, 'postgres'))).toEqual([])
  await rm(dataDir, { recursive: true })
})

/** A data folder that was started and stopped before, without the second that initdb takes. */
const useTemplate = () => promisify(execFile)('cp', ['-a', `${template}/.`, dataDir])

const start = async (options: { settings?: Record<string, string>; signal?: AbortSignal } = {}) => {
  server = await startEmbeddedPostgres({ dataDir, ...options })
  return server
}

async function query(url: string, text: string) {
  const client = await connect(url)
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

test('a first start makes a durable UTF-8 cluster that only its password opens', async () => {
  const { url, adopted } = await start()
  expect(adopted).toBe(false)
  const shown = await query(
    url,
    `select current_user as user, current_database() as database, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit, current_setting('jit') as jit, current_setting('timezone') as zone,
      current_setting('max_connections') as connections, current_setting('server_encoding') as encoding,
      current_setting('listen_addresses') as address, current_setting('unix_socket_directories') as sockets,
      (select datcollate from pg_database where datname = current_database()) as locale`,
  )
  expect(shown).toEqual([
    {
      user: 'tollgate',
      database: 'tollgate',
      fsync: 'on',
      commit: 'on',
      jit: 'off',
      zone: 'UTC',
      connections: '60',
      encoding: 'UTF8',
      address: '127.0.0.1',
      sockets: '',
      locale: 'C',
    },
  ])
  expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600)
  await expect(query(url.replace(/:[0-9a-f]{48}@/, ':guess@'), 'select')).rejects.toThrow('password')
})

test('a later start resumes with the same data', async () => {
  await useTemplate()
  await query((await start()).url, 'insert into kept values (1)')
  await server?.stop()
  expect(await query((await start()).url, 'select id from kept')).toEqual([{ id: 1 }])
})

test('the server that a killed process left is adopted, and can be stopped', async () => {
  await useTemplate()
  const child = startInChild({ dataDir })
  const left = await child.answer
  await query(left.url, 'insert into kept values (1)')
  await child.end('SIGKILL')
  const adopted = await start()
  expect(adopted).toMatchObject({ adopted: true, pid: left.pid, url: left.url })
  expect(await query(adopted.url, 'select id from kept')).toEqual([{ id: 1 }])
})

test('a folder that a living process uses is refused, and its server stays', async () => {
  await useTemplate()
  const child = startInChild({ dataDir })
  const { url } = await child.answer
  await expect(start()).rejects.toThrow(`${dataDir} is in use by process ${child.pid}`)
  expect(await query(url, 'select 1 as alive')).toEqual([{ alive: 1 }])
  expect(await child.end('SIGTERM')).toEqual([0, null])
})

test('Ctrl-C in the terminal does not reach the server', async () => {
  await useTemplate()
  const child = startInChild({ dataDir })
  const { pid } = await child.answer
  process.kill(-child.pid, 'SIGINT')
  await child.exited
  expect(await start()).toMatchObject({ adopted: true, pid })
})

test('the server does not keep its process alive', async () => {
  await useTemplate()
  const child = startInChild({ dataDir, fallOff: true })
  expect(await child.exited).toEqual([0, null])
  expect(await start()).toMatchObject({ adopted: true })
})

test('after kill -9 of Postgres in the midst of work the next start recovers what was committed', async () => {
  await useTemplate()
  const { url, pid } = await start()
  const busy = await connect(url)
  await query(url, 'insert into kept values (1)')
  await busy.query('begin; insert into kept values (2)')
  const endless = busy.query('do $$ begin loop end loop; end $$').catch(() => {})
  process.kill(pid, 'SIGKILL')
  expect(await query((await start()).url, 'select id from kept')).toEqual([{ id: 1 }])
  await endless
})

test('an orphan that does not answer is replaced', async () => {
  await useTemplate()
  const child = startInChild({ dataDir })
  const orphan = await child.answer
  await child.end('SIGKILL')
  process.kill(orphan.pid, 'SIGSTOP')
  const replaced = await start()
  expect(replaced).toMatchObject({ adopted: false })
  expect(replaced.pid).not.toBe(orphan.pid)
})

test('a pid file with the number of some other process is not believed', async () => {
  await useTemplate()
  const lines = [process.pid, join(dataDir, 'postgres'), 1_700_000_000, 1, '', '127.0.0.1', '  1  1', 'ready   ', '']
  writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), lines.join('\n'), { mode: 0o600 })
  expect(await findEmbeddedPostgres(dataDir)).toBeNull()
  expect(await start()).toMatchObject({ adopted: false })
})

test('a kill in the midst of initdb leaves nothing half-made', async () => {
  const child = startInChild({ dataDir })
  const isUnderWay = () => readdirSync(dataDir).some((name) => existsSync(join(dataDir, name, 'cluster', 'base')))
  await vi.waitUntil(isUnderWay, { interval: 5, timeout: 5_000 })
  await child.end('SIGKILL')
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
  await start()
  expect(readdirSync(dataDir).sort()).toEqual(['logs', 'postgres', 'postgres-password'])
})

test('an aborted start leaves no process, whether it fell into initdb or into the start of the server', async () => {
  const isInInitdb = () => readdirSync(dataDir).some((name) => name.startsWith('postgres.init-'))
  const isInServer = () => existsSync(join(dataDir, 'postgres', 'postmaster.pid'))
  for (const isFarEnough of [isInInitdb, isInServer]) {
    const controller = new AbortController()
    const starting = start({ signal: controller.signal })
    await vi.waitUntil(isFarEnough, { interval: 1, timeout: 5_000 })
    controller.abort(new Error('Enough of it.'))
    await expect(starting).rejects.toThrow('Enough of it.')
    expect(await processesOn(join(dataDir, 'postgres'))).toEqual([])
  }
})

test('stop ends sessions with open transactions, leaves no process, and may be called twice', async () => {
  await useTemplate()
  const { url, stop, pid } = await start()
  const open = await connect(url)
  await open.query('begin; insert into kept values (1)')
  expect(await findEmbeddedPostgres(dataDir)).toEqual({ url, pid })
  await Promise.all([stop(), stop()])
  expect(await processesOn(join(dataDir, 'postgres'))).toEqual([])
  expect(await findEmbeddedPostgres(dataDir)).toBeNull()
})

test('stop removes what a killed Postgres left', async () => {
  await useTemplate()
  const { url, pid, stop } = await start()
  const busy = await connect(url)
  const endless = busy.query('do $$ begin loop end loop; end $$').catch(() => {})
  process.kill(pid, 'SIGKILL')
  await stop()
  expect(await processesOn(join(dataDir, 'postgres'))).toEqual([])
  await endless
})

test('a port that was taken meanwhile is replaced by another', async () => {
  await useTemplate()
  const other = createServer()
  const taken = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port))
  })
  vi.mocked(ports.freePort).mockResolvedValueOnce(taken)
  const { url } = await start()
  other.close()
  expect(url).not.toContain(`:${taken}/`)
})

test('a server that cannot start says why, in one line', async () => {
  await useTemplate()
  const failed = start({ settings: { shared_buffers: 'plenty' } })
  await expect(failed).rejects.toThrow(/^PostgreSQL did not start on .*"shared_buffers".*postgres\.log$/)
})

test('a long log is put aside at the start', async () => {
  await useTemplate()
  const log = join(dataDir, 'logs', 'postgres.log')
  truncateSync(log, 17 * 1024 * 1024)
  await start()
  expect(readdirSync(join(dataDir, 'logs'))).toEqual(['postgres.log', 'postgres.log.1'])
  expect(readFileSync(log, 'utf8')).toContain('ready to accept connections')
})

test('a lost password is an error and no new cluster', async () => {
  await useTemplate()
  await rm(join(dataDir, 'postgres-password'))
  await expect(start()).rejects.toThrow(`The password file ${join(dataDir, 'postgres-password')} is gone`)
})
