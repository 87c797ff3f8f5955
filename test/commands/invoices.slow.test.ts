import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { companies } from '../../projections/companies/projection.ts'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { creditTransactions } from '../../projections/creditTransactions/projection.ts'
import { invoices } from '../../projections/invoices/projection.ts'
import { monthCloses } from '../../projections/monthCloses/projection.ts'
import { plans } from '../../projections/plans/projection.ts'
import { ReadModels } from '../support/databases/readModels.ts'
import { invoiceFacts, second } from '../support/events/billingEvents.ts'
import { registered } from '../support/events/controlEvents.ts'
import { charged, granted, monthClosed, TERMS } from '../support/events/ledgerEvents.ts'
import { runScript } from '../support/processes/runScript.ts'

const MODELS = [companies, creditBalances, creditTransactions, invoices, monthCloses, plans] as const
const MONTH = '2026-03'
/** Four processes start one after the other. */
const SCRIPTS_MS = 180_000

let models: ReadModels
let env: Record<string, string>
let dataDir: string
const companyId = randomUUID()

beforeAll(async () => {
  models = await ReadModels.open()
  dataDir = await mkdtemp(join(tmpdir(), 'tollgate-invoices-'))
  env = { DATABASE_URL: models.database.url, DATA_DIR: dataDir }
  for (const model of MODELS) models.run(model)
  const { planId, dueDays, ...offer } = TERMS
  await models.append(streamName('plan', planId), {
    type: 'PlanCreated',
    data: { planId, name: 'P', billingMode: 'POSTPAID', ...offer, dueDays, rolloverShare: null, createdAt: second(0) },
  })
  await models.append(streamName('company', companyId), registered(companyId, 'Later Ltd'), {
    type: 'BillingModeChanged',
    data: { companyId, billingMode: 'POSTPAID', planId, changedAt: second(1) },
  })
  const rate = '50000000000000'
  const price = { bookId: randomUUID(), rates: { input: rate, output: rate } }
  const call = charged(companyId, { amountMicros: '1500000000', price })
  await models.appendToLedger(companyId, granted(companyId, { amountMicros: '1000000000' }), call)
  await models.caughtUp(...MODELS)
})
afterAll(async () => {
  await models.close()
  await rm(dataDir, { recursive: true })
})

const run = (...args: string[]) => runScript('invoices.ts', args, env)
const audit = () => runScript('audit.ts', [companyId, '--json'], env)

describe('npm run invoices', () => {
  test.each([
    ['without a month', []],
    ['with a month that does not exist', ['--month', '2026-13']],
    ['for a month that has not ended', ['--month', '9998-12']],
    ['with an unknown option', ['--month', MONTH, '--forever']],
  ])('%s exits with 2', async (_, args) => {
    expect((await run(...args)).code).toBe(2)
  })

  test('--dry-run shows what a month that is not closed would cost, and writes nothing', async () => {
    const { code, stdout } = await run('--month', MONTH, '--dry-run', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      month: MONTH,
      dryRun: true,
      invoices: [{ companyId, name: 'Later Ltd', closedAt: null, amountMinor: '490', creditsMicros: '500000000' }],
    })
    expect(code).toBe(0)
    expect((await models.events(creditBalances)).map(({ type }) => type)).not.toContain('MonthClosed')
  })

  test(
    'reproduces an invoice from its ledger range, and so does the audit; both exit with 1 if the provider has another',
    async () => {
      await models.appendToLedger(companyId, monthClosed(companyId, { month: MONTH }))
      const invoiceId = `in_${companyId}`
      const about = { invoiceId, companyId }
      const drafted = { month: MONTH, creditsMicros: '500000000', lines: [], draftedAt: second(2) }
      const report = (amountMinor: string, n: number) => {
        const facts = invoiceFacts({ providerInvoiceId: invoiceId, subscriptionId: null, amountMinor })
        return { type: 'InvoiceFinalized', data: { ...about, saidAt: second(n), facts } } as const
      }
      const stream = streamName('invoice', invoiceId)
      await models.append(stream, { type: 'UsageInvoiceDrafted', data: { ...about, ...drafted } }, report('490', 3))
      await models.caughtUp(...MODELS)
      const good = await run('--month', MONTH, '--dry-run')
      expect(good.stdout).toMatch(/Later Ltd .* 4\.9 usd for 500 credits, ledger revisions 0 to 2, invoice in_\S+ OPEN/)
      expect(good.stdout).toMatch(/14\.7 usd +svc\/chat-default: 1 calls, 10 tokens in, 20 tokens out, 1500 credits/)
      expect(good.stdout).toMatch(/-9\.8 usd +Prepaid credits: -1000 credits/)
      expect(good.code).toBe(0)
      const agreed = await audit()
      expect(JSON.parse(agreed.stdout)).toMatchObject({ matches: true, months: [{ month: MONTH, difference: null }] })
      expect(agreed.code).toBe(0)

      await models.append(stream, report('491', 4))
      await models.caughtUp(...MODELS)
      const other = await run('--month', MONTH, '--dry-run', '--json')
      expect(JSON.parse(other.stdout).invoices[0].difference).toMatch(/over 491 usd .* the ledger says 490 usd/)
      expect(other.code).toBe(1)
      const disagreed = await audit()
      expect(JSON.parse(disagreed.stdout)).toMatchObject({ matches: false })
      expect(disagreed.code).toBe(1)
    },
    SCRIPTS_MS,
  )
})
