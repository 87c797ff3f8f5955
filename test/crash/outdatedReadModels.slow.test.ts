import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts'
import { patientDatabase } from '../support/databases/patientDatabase.ts'
import { type NpmProcess, startNpm } from '../support/processes/npmProcess.ts'
import { reusablePorts } from '../support/processes/reusablePorts.ts'

let folder: string
let database: TestDatabase
let gateway: NpmProcess | null

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), `tollgate-test-${process.pid}-`))
  database = await createTestDatabase('with read models')
  gateway = null
})
afterEach(async () => {
  if (gateway && !gateway.exit) gateway.signalGroup('SIGKILL')
  await gateway?.exited
  await database.drop()
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

test('a gateway that is started before the projector of its version waits for the read models, and ends on SIGTERM', async () => {
  const sql = patientDatabase({ url: database.url })
  await sql.query('update read_models.checkpoints set version = version - 1 where projection = $1', [
    creditBalances.name,
  ])
  await sql.close()
  const [port] = await reusablePorts(1)
  const settings = { DATA_DIR: folder, DATABASE_URL: database.url, GATEWAY_PORT: String(port), SANDBOX: '1' }
  const program = startNpm(['run', 'start:gateway'], { settings })
  gateway = program
  await program.line(/"readModels":\["credit-balances"\].*waiting until the projector has rebuilt the read models/)
  process.kill(program.pid, 'SIGTERM')
  await program.exited
  expect(program.exit).toEqual({ code: 0, signal: null })
  expect(program.lines).not.toContainEqual(expect.stringContaining('"msg":"ready"'))
})
