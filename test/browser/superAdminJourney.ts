import { expect } from 'vitest'
import { call, chatBody } from '../support/gatewayClient.ts'
import type { Demo } from '../support/installation.ts'
import { until } from '../support/until.ts'
import type { ConsoleVisitor } from './consolePages.ts'

/** A super admin adjusts a company's credits, suspends it, and resumes it. */
export async function rulesCompanies(visitor: ConsoleVisitor, { gatewayUrl, companyName, apiKey }: Demo) {
  const { page } = visitor
  const dialog = page.getByRole('dialog')
  const pick = async (action: string) => {
    await page.getByRole('button', { name: `Actions for ${companyName}` }).click()
    await page.getByRole('menuitem', { name: action }).click()
    await dialog.waitFor()
  }
  const gateway = gatewayUrl.replace(/\/llm\/v1$/, '')
  const status = async () => (await call(gateway, '/llm/v1/chat/completions', { key: apiKey, body: chatBody() })).status
  const row = page.getByRole('row').filter({ hasText: companyName })
  await page.getByText('Prepaid').waitFor()
  await visitor.expectUsable('companies')

  await pick('Adjust credits')
  await dialog.getByRole('button', { name: 'Adjust' }).click()
  await page.getByText('Say why: the company and its auditors').waitFor()
  await dialog.getByLabel('Credits').fill('2.5')
  await dialog.getByLabel('Reason').fill('Goodwill')
  await visitor.expectUsable('adjustment')
  await dialog.getByRole('button', { name: 'Adjust' }).click()
  await dialog.waitFor({ state: 'hidden' })

  await pick('Suspend')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await page.getByText('Say why: the people').waitFor()
  await dialog.getByLabel('Reason').fill('Unpaid since May')
  await visitor.expectUsable('suspension')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await row.getByText('Unpaid since May').waitFor()
  await visitor.expectUsable('suspended company')
  await until('calls of the suspended company are refused', async () => (await status()) === 403)

  await pick('Resume')
  await dialog.getByRole('button', { name: 'Resume' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await until('calls are served again', async () => (await status()) === 200)
  expect(await row.getByText('Suspended').count()).toBe(0)
}
