import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { check } from '../../check/check.mjs'
import { until } from '../support/time/until.ts'
import type { ConsoleVisitor } from './consolePages.ts'

/** The statement covers its entries, answers for any moment, and its file passes the published checker. */
export async function readStatement(visitor: ConsoleVisitor, origin: string): Promise<void> {
  const { page } = visitor
  await visitor.heading('Statement')
  await namesItsPeriod(visitor)
  await page.getByText('covers every entry of the period').waitFor()
  await page.getByRole('region', { name: 'Totals by type' }).waitFor()
  const moment = page.getByLabel('Moment (UTC)')
  const before = await moment.inputValue()
  await page.getByRole('slider', { name: 'Moment on the balance curve' }).press('Home')
  await until('the moment moves', async () => (await moment.inputValue()) !== before)
  // Nothing was stored at the first moment of the month.
  await page.getByText(/^0\.00 credits at/).waitFor()
  await visitor.expectUsable('statement')
  await provesGrant(visitor)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'JSON, signed' }).click(),
  ])
  const vkeys = (await (await fetch(`${origin}/log/vkey`)).text()).split('\n').filter((line) => line !== '')
  const { ok, checks } = await check(await readFile(await download.path(), 'utf8'), { vkeys })
  expect({ ok, checks }).toMatchObject({ ok: true })
}

/** The title is that of the chosen days, and of the whole month if they are one. */
async function namesItsPeriod(visitor: ConsoleVisitor): Promise<void> {
  const { page } = visitor
  await page.getByLabel('From (UTC day)').fill('2026-02-01')
  await page.getByLabel('To, inclusive').fill('2026-02-17')
  // Versions of Chromium differ in the spaces around a dash.
  await page.getByRole('heading', { level: 1, name: /^Statement, February 1\s*–\s*17, 2026$/ }).waitFor()
  await page.getByLabel('To, inclusive').fill('2026-02-28')
  await visitor.heading('Statement, February 2026')
  expect(await page.title()).toBe('Statement, February 2026 · Tollgate')
  await page.getByRole('button', { name: 'This month' }).click()
}

/** The credits that the company got first were granted, not charged; that is proved, too. */
async function provesGrant(visitor: ConsoleVisitor): Promise<void> {
  const { page } = visitor
  await page
    .getByRole('button', { name: /^Prove entry / })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Prove it' }).click()
  await dialog.getByText('Every check passed.').waitFor()
  await visitor.expectUsable('proof of an entry')
  await dialog.getByRole('button', { name: 'Close' }).click()
}

/** From an entry of the trail to everything that the same request caused, and back. */
export async function followTrail(visitor: ConsoleVisitor): Promise<void> {
  const { page } = visitor
  await visitor.go('Trail')
  const row = page.getByRole('row').filter({ hasText: 'Company registered' })
  await row.waitFor()
  const filter = page.getByLabel('Event', { exact: true })
  await filter.fill('e')
  await filter.press('Enter')
  await page.getByText('Several match. Type more.').waitFor()
  await filter.fill('company reg')
  await filter.press('Enter')
  await page.waitForURL(({ searchParams }) => searchParams.get('type') === 'CompanyRegistered')
  expect(await filter.inputValue()).toBe('Company registered')
  await row.getByRole('link').click()
  await page.getByText('Everything caused by one request, payment event or task').waitFor()
  await page.getByText('Credits granted').first().click()
  await visitor.expectUsable('trail')
  await page.getByRole('link', { name: 'Show everything' }).click()
  await page.getByText('Everything caused by one request, payment event or task').waitFor({ state: 'detached' })
}
