import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { query, useDataFolders } from '../../../test/support/databases/dataFolders.ts'
import { until } from '../../../test/support/time/until.ts'
import { systemClock } from '../../clock/clock.ts'
import { startEmbeddedPostgres } from './embeddedPostgres.ts'
import { type SupervisedPostgres, startSupervisedPostgres } from './supervisedPostgres.ts'

const folder = useDataFolders()

let started: SupervisedPostgres | undefined
afterEach(async () => {
  await started?.stop()
  started = undefined
})

async function startSupervised() {
  await folder.fillFromTemplate()
  const reported: string[] = []
  const postgres = await startSupervisedPostgres({
    dataDir: folder.dataDir,
    clock: systemClock,
    report: (line) => void reported.push(line),
  })
  started = postgres
  return { postgres, reported }
}

const answers = (url: string) => query(url, 'select id from kept').catch(() => null)

test('a killed server is restarted at the same address with its data, and both are reported', async () => {
  const { postgres, reported } = await startSupervised()
  const { url, pid } = postgres
  await query(url, 'insert into kept values (1)')
  process.kill(pid, 'SIGKILL')
  await until('it is back', () => (reported.length > 1 ? true : null))
  expect(await answers(url)).toEqual([{ id: 1 }])
  expect(postgres.pid).not.toBe(pid)
  expect(reported).toEqual([
    `the embedded PostgreSQL (process ${pid}) has ended; next start in 0.25 s`,
    expect.stringMatching(
      new RegExp(`^the embedded PostgreSQL is back after [\\d.]+ s \\(process ${postgres.pid}\\)$`),
    ),
  ])
})

test('a server that restarted itself after the kill of a session stays owned by this process', async () => {
  const { postgres, reported } = await startSupervised()
  const { url, pid } = postgres
  const [session] = await query(url, "select pid from pg_stat_activity where application_name like 'process %'")
  process.kill(Number(session?.pid), 'SIGKILL')
  await until('it is back', () => (reported.at(-1)?.includes('is back') ? true : null))
  expect(postgres.pid).toBe(pid)
  await expect(startEmbeddedPostgres({ dataDir: folder.dataDir })).rejects.toThrow(`in use by process ${process.pid}`)
})

test('a stop while the server is down ends the supervision', async () => {
  const { postgres, reported } = await startSupervised()
  process.kill(postgres.pid, 'SIGKILL')
  await until('its end is noticed', () => (reported.length > 0 ? true : null))
  await postgres.stop()
  expect(await answers(postgres.url)).toBeNull()
  expect(reported).toHaveLength(1)
})

test('a server that cannot be restarted is reported with the reason from its log, and started once it can', async () => {
  const { postgres, reported } = await startSupervised()
  const control = join(folder.dataDir, 'postgres', 'global', 'pg_control')
  renameSync(control, `${control}.away`)
  process.kill(postgres.pid, 'SIGKILL')
  // A pool keeps connecting meanwhile, and is refused.
  const failure = await until('a start has failed', async () => {
    await answers(postgres.url)
    return reported.find((line) => line.includes('did not start again'))
  })
  expect(failure).toMatch(/did not start again: PostgreSQL did not start on .*pg_control.*postgres\.log; next start in/)
  renameSync(`${control}.away`, control)
  await until('it is back', () => (reported.at(-1)?.includes('is back') ? true : null))
  expect(await answers(postgres.url)).toEqual([])
})
