import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { connect, query, useDataFolders } from '../../../test/support/databases/dataFolders.ts'
import { processesOn, startInChild } from '../../../test/support/databases/embeddedPostgresChild.ts'
import { PATIENCE } from '../../../test/support/time/patience.ts'
import { findEmbeddedPostgres } from './embeddedPostgres.ts'
import * as ports from './freePort.ts'

vi.mock('./freePort.ts', { spy: true })

/** Only against a moment that never comes. */
const COME_MS_MAX = 60_000 * PATIENCE

const folder = useDataFolders()

test('Ctrl-C in the terminal does not reach the server', async () => {
  await folder.fillFromTemplate()
  const child = startInChild({ dataDir: folder.dataDir })
  const { pid } = await child.answer
  process.kill(-child.pid, 'SIGINT')
  await child.exited
  expect(await folder.start()).toMatchObject({ adopted: true, pid })
})

test('the server does not keep its process alive', async () => {
  await folder.fillFromTemplate()
  const child = startInChild({ dataDir: folder.dataDir, fallOff: true })
  expect(await child.exited).toEqual([0, null])
  expect(await folder.start()).toMatchObject({ adopted: true })
})

test('a start after kill -9 of PostgreSQL recovers all committed transactions', async () => {
  await folder.fillFromTemplate()
  const { url, pid } = await folder.start()
  const busy = await connect(url)
  await query(url, 'insert into kept values (1)')
  await busy.query('begin; insert into kept values (2)')
  const endless = busy.query('do $$ begin loop end loop; end $$').catch(() => {})
  process.kill(pid, 'SIGKILL')
  expect(await query((await folder.start()).url, 'select id from kept')).toEqual([{ id: 1 }])
  await endless
})

test('an orphan that allows fewer connections than the start needs is replaced by one that allows them', async () => {
  await folder.fillFromTemplate()
  const child = startInChild({ dataDir: folder.dataDir })
  await child.answer
  await child.end('SIGKILL')
  const replaced = await folder.start({ connectionsMin: 234 })
  expect(replaced.adopted).toBe(false)
  expect(await query(replaced.url, 'show max_connections')).toEqual([{ max_connections: '234' }])
})

test('an orphan that does not answer is replaced', async () => {
  await folder.fillFromTemplate()
  const child = startInChild({ dataDir: folder.dataDir })
  const orphan = await child.answer
  await child.end('SIGKILL')
  process.kill(orphan.pid, 'SIGSTOP')
  const replaced = await folder.start()
  expect(replaced).toMatchObject({ adopted: false })
  expect(replaced.pid).not.toBe(orphan.pid)
})

test('a pid file with the pid of another process is ignored', async () => {
  await folder.fillFromTemplate()
  const lines = [
    process.pid,
    join(folder.dataDir, 'postgres'),
    1_700_000_000,
    1,
    '',
    '127.0.0.1',
    '  1  1',
    'ready   ',
    '',
  ]
  writeFileSync(join(folder.dataDir, 'postgres', 'postmaster.pid'), lines.join('\n'), { mode: 0o600 })
  expect(await findEmbeddedPostgres(folder.dataDir)).toBeNull()
  expect(await folder.start()).toMatchObject({ adopted: false })
})

test('a kill during initdb leaves no partial cluster after the next start', async () => {
  const child = startInChild({ dataDir: folder.dataDir })
  const isUnderWay = () =>
    readdirSync(folder.dataDir).some((name) => existsSync(join(folder.dataDir, name, 'cluster', 'base')))
  await vi.waitUntil(isUnderWay, { interval: 5, timeout: COME_MS_MAX })
  await child.end('SIGKILL')
  expect(existsSync(join(folder.dataDir, 'postgres'))).toBe(false)
  await folder.start()
  expect(readdirSync(folder.dataDir).sort()).toEqual(['logs', 'postgres', 'postgres-password'])
})

test('an abort during initdb or during the start of the server leaves no process', async () => {
  const isInInitdb = () => readdirSync(folder.dataDir).some((name) => name.startsWith('postgres.init-'))
  const isInServer = () => existsSync(join(folder.dataDir, 'postgres', 'postmaster.pid'))
  for (const isFarEnough of [isInInitdb, isInServer]) {
    const controller = new AbortController()
    const starting = folder.start({ signal: controller.signal })
    await vi.waitUntil(isFarEnough, { interval: 1, timeout: COME_MS_MAX })
    controller.abort(new Error('Enough of it.'))
    await expect(starting).rejects.toThrow('Enough of it.')
    expect(await processesOn(join(folder.dataDir, 'postgres'))).toEqual([])
  }
})

test('stop removes the leftovers of a killed PostgreSQL', async () => {
  await folder.fillFromTemplate()
  const { url, pid, stop } = await folder.start()
  const busy = await connect(url)
  const endless = busy.query('do $$ begin loop end loop; end $$').catch(() => {})
  process.kill(pid, 'SIGKILL')
  await stop()
  expect(await processesOn(join(folder.dataDir, 'postgres'))).toEqual([])
  await endless
})

test('a port that was taken in the meantime is replaced by another', async () => {
  await folder.fillFromTemplate()
  const other = createServer()
  const taken = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port))
  })
  vi.mocked(ports.freePort).mockResolvedValueOnce(taken)
  const { url } = await folder.start()
  other.close()
  expect(url).not.toContain(`:${taken}/`)
})

test('the error of a server that cannot start is one line with the reason', async () => {
  await folder.fillFromTemplate()
  const failed = folder.start({ settings: { shared_buffers: 'plenty' } })
  await expect(failed).rejects.toThrow(/^PostgreSQL did not start on .*"shared_buffers".*postgres\.log$/)
})

test('a large log is rotated at the start', async () => {
  await folder.fillFromTemplate()
  const log = join(folder.dataDir, 'logs', 'postgres.log')
  truncateSync(log, 17 * 1024 * 1024)
  await folder.start()
  expect(readdirSync(join(folder.dataDir, 'logs'))).toEqual(['postgres.log', 'postgres.log.1'])
  expect(readFileSync(log, 'utf8')).toContain('ready to accept connections')
})

test('a missing password file is an error and does not create a new cluster', async () => {
  await folder.fillFromTemplate()
  await rm(join(folder.dataDir, 'postgres-password'))
  await expect(folder.start()).rejects.toThrow(
    `The password file ${join(folder.dataDir, 'postgres-password')} of the cluster`,
  )
})
