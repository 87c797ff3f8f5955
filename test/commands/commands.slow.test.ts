import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { creditTransactions } from '../../projections/creditTransactions/projection.ts'
import { usage } from '../../projections/usage/projection.ts'
import { ReadModels } from '../support/databases/readModels.ts'
import { charged, granted } from '../support/events/ledgerEvents.ts'
import { startTestSandbox } from '../support/harness/sandbox.ts'
import { runScript } from '../support/processes/runScript.ts'

// Commands whose cases are tested without a process, elsewhere; the other files of this folder have the rest.

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

test('npm run audit names the first event that differs from the read models', async () => {
  const other = randomUUID()
  await models.appendToLedger(other, granted(other), charged(other))
  await models.caughtUp(creditTransactions)
  const spoiled = (await models.events(creditTransactions)).findLast(({ data }) => data.companyId === other)?.id
  await models.database.query(
    'update read_models.credit_transactions set amount_micros = -49 where transaction_id = $1',
    [spoiled],
  )
  const { code, stdout } = await runScript('audit.ts', [other, '--json'], env)
  expect(JSON.parse(stdout)).toMatchObject({ matches: false, firstDifference: { eventId: spoiled } })
  expect(code).toBe(1)
})

test('npm run reconcile finds the month of an installation without payments in order', async () => {
  const sandbox = await startTestSandbox()
  try {
    const provider = { STRIPE_API_BASE: sandbox.url, STRIPE_SECRET_KEY: 'sk_test_of_the_tests' }
    const { code, stdout } = await runScript('reconcile.ts', ['--month', '2026-03', '--json'], { ...env, ...provider })
    expect(JSON.parse(stdout)).toMatchObject({ month: '2026-03', matches: true, differences: [], payments: [] })
    expect(code).toBe(0)
    expect((await runScript('reconcile.ts', ['--month', 'March'], env)).code).toBe(2)
  } finally {
    await sandbox.close()
  }
})

test('npm run rebuild gives a model the hash of the live one', async () => {
  const hash = async () => JSON.parse((await runScript('hash.ts', ['usage', '--json'], env)).stdout)[0].hash
  const before = await hash()
  const { code, stdout } = await runScript('rebuild.ts', ['usage', '--json'], env)
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, name: 'usage', version: usage.version })
  expect(before).toMatch(/^[0-9a-f]{64}$/)
  expect(await hash()).toBe(before)
})

test('npm run restore with an unknown word for when to build the read models exits with 2', async () => {
  const { code, stderr } = await runScript('restore.ts', ['saved.gz', '--read-models', 'never'], env)
  expect(stderr).toContain('--read-models is now or later, not never')
  expect(code).toBe(2)
})
