import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PRICING_STREAM } from '../../contracts/streams.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { ReadModels } from '../support/databases/readModels.ts'
import { charged, granted } from '../support/events/ledgerEvents.ts'
import { runScript } from '../support/processes/runScript.ts'
import { until } from '../support/time/until.ts'

/** A company whose rows say that its ledger has more events than a preview reads. */
const BUSY_COMPANY = randomUUID()

let models: ReadModels
let folder: string
let env: Record<string, string>

beforeAll(async () => {
  models = await ReadModels.open()
  folder = mkdtempSync(join(tmpdir(), 'tollgate-test-prices-'))
  const providers = {
    'acme/large': { providers: [{ name: 'vendor', baseUrl: 'https://models.example/v1', model: 'large-1' }] },
  }
  env = {
    DATABASE_URL: models.database.url,
    PROVIDERS_FILE: fileOf('providers.json', JSON.stringify({ aliases: providers })),
  }
  for (const projection of PROJECTIONS) models.run(projection)
  const companyId = randomUUID()
  const at = new Date().toISOString()
  const call = charged(companyId)
  await models.appendToLedger(companyId, granted(companyId), {
    ...call,
    data: { ...call.data, alias: 'acme/large', admittedAt: at, finishedAt: at },
  })
  await models.caughtUp(...PROJECTIONS)
})
afterAll(async () => {
  await models.close()
  rmSync(folder, { recursive: true })
})

function fileOf(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

async function publishedBooks() {
  const books = []
  for await (const { data } of models.store.readStream(PRICING_STREAM)) books.push(data)
  return books
}

test('npm run prices shows a draft and what calls would have cost, and publishes it with --publish only', async () => {
  const list = {
    'large-1': {
      ...{ mode: 'chat', input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5, input_cost_per_image: 1 },
      input_cost_per_token_above_200k_tokens: 5e-6,
    },
  }
  const args = ['import', fileOf('list.json', JSON.stringify(list)), '--times', '1.2']
  const shown = await runScript('prices.ts', args, env)
  expect(shown.stdout).toMatch(/^acme\/large, from large-1\n {2}input +none → 3\n {2}output +none → 12\n/)
  expect(shown.stdout).toMatch(/^ {2}input above 200000 tokens of input +none → 6$/m)
  expect(shown.stdout).toContain('not imported, because there is no such rate: input_cost_per_image')
  expect(shown.stdout).toMatch(/^The only call of the last 7 days cost \S+ credits, and would have cost \S+\.$/m)
  expect(shown.stdout).toContain('Nothing was published')
  expect(await publishedBooks()).toEqual([])

  const { code, stdout } = await runScript('prices.ts', [...args, '--publish', '--json'], env)
  expect(code).toBe(0)
  const printed = JSON.parse(stdout)
  expect(printed).toMatchObject({ preview: { calls: 1 }, unchanged: [], missing: [] })
  const prices = {
    'acme/large': {
      rates: { input: '3000000', output: '12000000' },
      inputTiers: [{ tokens: 200_000, inclusive: false, rates: { input: '6000000', output: '12000000' } }],
    },
  }
  expect(await publishedBooks()).toMatchObject([{ bookId: printed.published.bookId, companyId: null, prices }])
})

test('npm run prices publishes a table with units and tiers, and finds nothing to change in it afterwards', async () => {
  const table = fileOf(
    'tiers.csv',
    `alias,input,output,reasoning,units,service_tiers,input_tiers
acme/large,1,2,3,image=0.04 tool:web_search=0.01,priority=2,>200000 input=5 output=15; >=1000000 input=10 output=30
`,
  )
  const args = ['import', table, '--json']
  const first = JSON.parse((await runScript('prices.ts', [...args, '--publish'], env)).stdout)
  expect((await publishedBooks()).at(-1)).toMatchObject({
    bookId: first.published.bookId,
    prices: {
      'acme/large': {
        rates: { input: '1000000', output: '2000000', reasoning: '3000000' },
        inputTiers: [
          { tokens: 200_000, inclusive: false, rates: { input: '5000000', output: '15000000' } },
          { tokens: 1_000_000, inclusive: true, rates: { input: '10000000', output: '30000000' } },
        ],
        unitRates: { image: '40000000000', 'tool:web_search': '10000000000' },
        tierFactors: { priority: '2000000' },
      },
    },
  })
  // A changed price is in force a few seconds later.
  await until('no price of the table changes anything', async () => {
    const { stdout } = await runScript('prices.ts', args, env)
    return JSON.parse(stdout).unchanged.length === 1
  })
})

test('npm run prices publishes although the calls of the last days are too many for a preview', async () => {
  const now = new Date().toISOString()
  for (const revision of [0, 50_000]) {
    await models.database.query(
      `insert into read_models.credit_transactions (transaction_id, company_id, revision, type, amount_micros, occurred_at)
       values ($1, $2, $3, 'USAGE', 50, $4)`,
      [randomUUID(), BUSY_COMPANY, revision, now],
    )
  }
  const args = ['import', fileOf('busy.csv', 'alias,input,output\nacme/large,7,9\n'), '--days', '1', '--publish']
  const { code, stdout } = await runScript('prices.ts', args, env)
  expect(stdout).toContain('of the last day were not computed with these prices')
  expect(stdout).toContain('Published as price book')
  expect(code).toBe(0)
})

test('npm run prices refuses a file that it cannot read, and a company that does not exist', async () => {
  const table = fileOf('table.csv', 'alias,input,output\nacme/large,1,2\n')
  for (const [args, message] of [
    [['import', fileOf('bad.csv', 'alias,input\n')], 'the first line has no column output'],
    [['import', fileOf('unit.csv', 'alias,input,output,units\na,1,2,image\n')], 'is not a name and an amount'],
    [['import', table, '--company', randomUUID()], 'there is no company'],
    [['export', table], 'an action is required: import'],
    [['import'], 'import takes one file'],
  ] as const) {
    const { code, stderr } = await runScript('prices.ts', [...args], env)
    expect(stderr).toContain(message)
    expect(code).toBe(2)
  }
})
