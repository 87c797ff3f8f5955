import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect, query, useDataFolders } from '../../../test/support/databases/dataFolders.ts'
import { processesOn, startInChild } from '../../../test/support/databases/embeddedPostgresChild.ts'
import { findEmbeddedPostgres } from './embeddedPostgres.ts'

const folder = useDataFolders()

test('a first start creates a durable UTF-8 cluster that requires its password', async () => {
  const { url, adopted } = await folder.start()
  expect(adopted).toBe(false)
  const shown = await query(
    url,
    `select current_user as user, current_database() as database, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit, current_setting('jit') as jit, current_setting('timezone') as zone,
      current_setting('max_parallel_workers_per_gather') as parallel,
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
      parallel: '0',
      connections: '100',
      encoding: 'UTF8',
      address: '127.0.0.1',
      sockets: '',
      locale: 'C',
    },
  ])
  expect(statSync(join(folder.dataDir, 'postgres-password')).mode & 0o777).toBe(0o600)
  await expect(query(url.replace(/:[0-9a-f]{48}@/, ':guess@'), 'select')).rejects.toThrow('password')
})

test('a later start uses the same data', async () => {
  await folder.fillFromTemplate()
  const first = await folder.start()
  await query(first.url, 'insert into kept values (1)')
  await first.stop()
  expect(await query((await folder.start()).url, 'select id from kept')).toEqual([{ id: 1 }])
})

test('the running server of a killed process is adopted and can be stopped', async () => {
  await folder.fillFromTemplate()
  const child = startInChild({ dataDir: folder.dataDir })
  const left = await child.answer
  await query(left.url, 'insert into kept values (1)')
  await child.end('SIGKILL')
  const adopted = await folder.start()
  expect(adopted).toMatchObject({ adopted: true, pid: left.pid, url: left.url })
  expect(await query(adopted.url, 'select id from kept')).toEqual([{ id: 1 }])
})

test('a folder in use by a running process is refused, and its server keeps running', async () => {
  await folder.fillFromTemplate()
  const child = startInChild({ dataDir: folder.dataDir })
  const { url } = await child.answer
  await expect(folder.start()).rejects.toThrow(`${folder.dataDir} is in use by process ${child.pid}`)
  expect(await query(url, 'select 1 as alive')).toEqual([{ alive: 1 }])
  expect(await child.end('SIGTERM')).toEqual([0, null])
})

test('stop ends sessions with open transactions, leaves no process, and may be called twice', async () => {
  await folder.fillFromTemplate()
  const { url, stop, pid } = await folder.start()
  const open = await connect(url)
  await open.query('begin; insert into kept values (1)')
  expect(await findEmbeddedPostgres(folder.dataDir)).toEqual({ url, pid })
  await Promise.all([stop(), stop()])
  expect(await processesOn(join(folder.dataDir, 'postgres'))).toEqual([])
  expect(await findEmbeddedPostgres(folder.dataDir)).toBeNull()
})
