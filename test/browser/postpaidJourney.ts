import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { PostgresEventStore } from '../../platform/eventStore/postgres/postgresEventStore.ts'
import { openDatabase } from '../../platform/postgres/database.ts'
import { anEventOf } from '../support/events/history.ts'
import { charged, monthClosed, TERMS as SOME_TERMS } from '../support/events/ledgerEvents.ts'
import type { Installation } from '../support/harness/installation.ts'
import type { ConsoleVisitor } from './consolePages.ts'
import { ask } from './parties.ts'

const COMPANY = 'mutation ($name: String!) { createCompany(input: { name: $name }) { id } }'
const PERSON = `mutation ($email: String!, $companyId: ID!) {
  createUser(input: { email: $email, password: "a password for the journey", companyId: $companyId }) { id } }`
const PLAN = `mutation ($name: String!) { createPlan(input: { name: $name, billingMode: POSTPAID, price: 100, currency: "usd",
  creditsPerPeriod: 1000, dueDays: 14 }) { id } }`
const MODE = `mutation ($companyId: ID!, $planId: ID!) {
  setCompanyBillingMode(companyId: $companyId, billingMode: POSTPAID, planId: $planId) { id } }`

/** A credit costs ten cents. */
const TERMS = { ...SOME_TERMS, price: '100', creditsPerPeriodMicros: '1000000000' }

/** A super admin limits what a postpaid company may owe, and ends two of its invoices by hand. */
export async function endsInvoices(visitor: ConsoleVisitor, installation: Installation, name: string): Promise<void> {
  const { page } = visitor
  const companyId = await postpaidCompany(installation, name)
  await usedMonths(installation, companyId, ['2026-01', '2026-02'])
  await page.reload()
  await limitsCredit(visitor, name)
  await page.getByRole('link', { name }).click()
  await visitor.heading('Overview')
  await page.getByRole('main').getByText('−140.00').waitFor()
  // It owes what it uses, and is refused nothing.
  expect(await page.getByText('No credits are left').count()).toBe(0)
  await visitor.go('Billing')
  const row = (month: string) =>
    page.getByRole('region', { name: 'Invoices' }).getByRole('row').filter({ hasText: month })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Void the invoice of 2026-02' }).waitFor()
  await visitor.expectUsable('usage invoices')
  await page.getByRole('button', { name: 'Settle the invoice of 2026-01' }).click()
  await dialog.getByRole('button', { name: 'Settle it' }).click()
  await dialog.getByText('Give a reason: the company').waitFor()
  await dialog.getByText('$7.00 was paid outside').waitFor()
  await dialog.getByLabel('Reason').fill('Paid by bank transfer')
  await visitor.expectUsable('settling an invoice')
  await dialog.getByRole('button', { name: 'Settle it' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await row('2026-01').getByText('Paid').waitFor()
  await page.getByRole('button', { name: 'Void the invoice of 2026-02' }).click()
  await dialog.getByLabel('Reason').fill('Agreed with the customer')
  await dialog.getByRole('button', { name: 'Void it' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await row('2026-02').getByText('Void', { exact: true }).waitFor()
  await visitor.expectUsable('ended invoices')
  await visitor.go('Trail')
  await page.getByText(/ended: month 2026-01, reason Paid by bank transfer/).waitFor()
  await page.getByText(/ended: month 2026-02, reason Agreed with the customer/).waitFor()
}

async function limitsCredit(visitor: ConsoleVisitor, name: string): Promise<void> {
  const { page } = visitor
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Credit limit' }).click()
  await dialog.getByLabel('Credits').fill('0')
  await dialog.getByRole('button', { name: 'Set the limit' }).click()
  await dialog.getByText('Enter a number of credits above 0').waitFor()
  await dialog.getByLabel('Credits').fill('1500')
  await visitor.expectUsable('credit limit')
  await dialog.getByRole('button', { name: 'Set the limit' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('row').filter({ hasText: name }).getByText('limit 1,500.00').waitFor()
}

async function postpaidCompany({ demo }: Installation, name: string): Promise<string> {
  const asRoot = (query: string, variables: object) => ask(demo, demo.superAdminToken, query, variables)
  const { createCompany } = await asRoot(COMPANY, { name })
  // Invoices are sent to a person.
  await asRoot(PERSON, { email: `${createCompany.id}@postpaid.example`, companyId: createCompany.id })
  const { createPlan } = await asRoot(PLAN, { name: `Plan of ${name}` })
  await asRoot(MODE, { companyId: createCompany.id, planId: createPlan.id })
  return createCompany.id
}

/** Charges of two months, each of which has ended: the reactor bills and invoices them. */
async function usedMonths(installation: Installation, companyId: string, months: readonly string[]): Promise<void> {
  const database = openDatabase({ url: await installation.databaseUrl(), connectionsMax: 1 })
  try {
    const store = new PostgresEventStore(database, systemClock)
    const events = months.flatMap((month) => [
      charged(companyId, { callId: randomUUID(), amountMicros: '70000000' }),
      monthClosed(companyId, { month, terms: TERMS, closedAt: new Date().toISOString() }),
    ])
    await store.append(
      streamName('ledger', companyId),
      'any',
      events.map((event) => anEventOf(event)),
    )
  } finally {
    await database.close()
  }
}
