import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { ReadModels } from '../support/databases/readModels.ts'
import { charged, granted } from '../support/events/ledgerEvents.ts'
import { runScript } from '../support/processes/runScript.ts'

let models: ReadModels
let env: Record<string, string>

beforeAll(async () => {
  models = await ReadModels.open()
  env = { DATABASE_URL: models.database.url }
  for (const projection of PROJECTIONS) models.run(projection)
  const companyId = randomUUID()
  await models.appendToLedger(companyId, granted(companyId), charged(companyId))
  await models.caughtUp(...PROJECTIONS)
})
afterAll(() => models.close())

test('hash prints name, position and hash of every model, a line each', async () => {
  const { code, stdout } = await runScript('hash.ts', [], env)
  const lines = stdout.trim().split('\n')
  expect(lines.map((line) => line.split(' ')[0])).toEqual(PROJECTIONS.map(({ name }) => name))
  for (const line of lines) expect(line).toMatch(/^[a-z-]+ (\d+|-) [0-9a-f]{64}$/)
  expect(code).toBe(0)
})

test('hash changes when a row was tampered with', async () => {
  const before = await runScript('hash.ts', ['usage'], env)
  await models.database.query('update read_models.usage set requests = requests + 1')
  const tampered = await runScript('hash.ts', ['usage'], env)
  expect(tampered.stdout).not.toBe(before.stdout)
  await runScript('rebuild.ts', ['usage'], env)
  expect((await runScript('hash.ts', ['usage'], env)).stdout).toBe(before.stdout)
})

test.each(['hash.ts', 'rebuild.ts'])(
  '%s of a model that does not exist: exit code 2, and the names',
  async (script) => {
    const { code, stderr } = await runScript(script, ['balances'], env)
    expect(stderr).toContain('credit-balances')
    expect(code).toBe(2)
  },
)

test('a DATA_DIR without an installation is refused by name, and none is created', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-empty-'))
  const { code, stderr } = await runScript('hash.ts', [], { DATA_DIR: folder })
  expect(stderr).toMatch(/^tollgate: DATA_DIR: there is no installation in/)
  expect(code).toBe(1)
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})
