import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { creditTransactions } from '../../projections/creditTransactions/projection.ts'
import { usage } from '../../projections/usage/projection.ts'
import { ReadModels } from '../support/databases/readModels.ts'
import { charged, granted } from '../support/events/ledgerEvents.ts'
import { startTestSandbox } from '../support/harness/sandbox.ts'
import { runScript } from '../support/processes/runScript.ts'

// One run of each command on an installation; their cases are in the *.slow.test.ts files of this folder.

let models: ReadModels
let env: Record<string, string>
const companyId = randomUUID()
const charge = charged(companyId)

beforeAll(async () => {
  models = await ReadModels.open()
  env = { DATABASE_URL: models.database.url }
  for (const projection of PROJECTIONS) models.run(projection)
  await models.appendToLedger(companyId, granted(companyId), charge)
  await models.caughtUp(...PROJECTIONS)
})
afterAll(() => models.close())

test('npm run audit adds up the ledger and agrees with the read models', async () => {
  const { code, stdout } = await runScript('audit.ts', [companyId, '--json'], env)
  expect(JSON.parse(stdout)).toMatchObject({
    companyId,
    grantsMicros: '1000000',
    chargesMicros: '50',
    closingMicros: '999950',
    readModelMicros: '999950',
    matches: true,
    firstDifference: null,
  })
  expect(code).toBe(0)
})

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

test('npm run feed -- status reports the position of every read model', async () => {
  const { code, stdout } = await runScript('feed.ts', ['status', '--json'], env)
  const { store, projections } = JSON.parse(stdout)
  expect(store.position).toBe(await models.store.head())
  expect(projections.map(({ name }: { name: string }) => name)).toEqual(PROJECTIONS.map(({ name }) => name))
  expect(code).toBe(0)
})

test('npm run admin -- create-super-admin registers a user without keeping the password', async () => {
  const args = ['create-super-admin', '--email', 'root@example.com', '--json']
  const { code, stdout, stderr } = await runScript('admin.ts', args, env, 'correct horse\n')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ email: 'root@example.com', isSuperAdmin: true })
  const [user] = await models.events({ categories: ['user'] })
  expect(user?.data).toMatchObject({ companyId: null, passwordHash: expect.stringMatching(/^\$scrypt\$/) })
  expect(JSON.stringify(user)).not.toContain('correct horse')
})

test('npm run restore with an unknown word for when to build the read models exits with 2', async () => {
  const { code, stderr } = await runScript('restore.ts', ['saved.gz', '--read-models', 'never'], env)
  expect(stderr).toContain('--read-models is now or later, not never')
  expect(code).toBe(2)
})

test('npm run audit without a company exits with 2 and prints its usage', async () => {
  const { code, stdout, stderr } = await runScript('audit.ts', [], env)
  expect(stderr).toContain('usage: npm run audit')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
})
