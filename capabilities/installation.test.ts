import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../platform/clock/clock.ts'
import { readConfig } from '../platform/config/config.ts'
import { createTestDatabase } from '../test/support/databases/database.ts'
import { patientDatabase } from '../test/support/databases/patientDatabase.ts'
import { openRuntime } from './installation.ts'

const MINUTE_MS = 60_000

test('a process uses the clock of its database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-test-runtime-'))
  const { url, drop } = await createTestDatabase('migrated')
  const database = patientDatabase({ url })
  await database.query('create schema ahead')
  await database.query(
    `create function ahead.clock_timestamp() returns timestamptz language sql
     as $$ select pg_catalog.clock_timestamp() + interval '30 minutes' $$`,
  )
  await database.close()
  const options = encodeURIComponent('-c search_path=ahead,pg_catalog')
  const runtime = await openRuntime({
    config: readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }),
    database: `${url}${url.includes('?') ? '&' : '?'}options=${options}`,
    log: join(folder, 'log'),
    name: 'test',
  })
  expect(runtime.clock.now() - systemClock.now()).toBeGreaterThan(29 * MINUTE_MS)
  await runtime.close()
  await drop()
  await rm(folder, { recursive: true })
})
