import { expect } from 'vitest'
import type { Demo } from '../support/harness/installation.ts'
import type { ConsoleVisitor } from './consolePages.ts'

/** More credits than the company of the demo has, so that its balance is below them at once. */
const ABOVE_ANY_BALANCE = '4000000000'

/** Saves a card at the checkout of a pack, lets automatic top-up buy one more pack by it, and switches it off. */
export async function topsUp(visitor: ConsoleVisitor, { sandboxUrl }: Demo): Promise<void> {
  const { page } = visitor
  await visitor.go('Billing')
  const billing = page.url()
  await page.getByText('Off. Buy a pack with').waitFor()
  await page.getByRole('checkbox', { name: /^Save this card/ }).check()
  await page.getByRole('button', { name: /^Buy / }).first().click()
  await page.locator('button[name=outcome][value=pay]').click()
  await page
    .getByText(/paid|thank/i)
    .first()
    .waitFor()
  await page.goto(billing)
  await visitor.heading('Billing')
  const form = page.getByRole('form', { name: 'Automatic top-up' })
  await form.getByRole('button', { name: 'Switch on' }).click()
  await form.getByText('Enter a number of credits above 0').waitFor()
  const price = await page.getByRole('region', { name: 'Credit packs' }).locator('.number').nth(1).innerText()
  await form.getByLabel('Below (credits)').fill(ABOVE_ANY_BALANCE)
  await form.getByLabel(/^At most per month/).fill(price.replace(/[^\d.]/g, ''))
  await visitor.expectUsable('automatic top-up before it is on')
  await form.getByRole('button', { name: 'Switch on' }).click()
  const attempts = page.getByRole('region', { name: 'Attempts of automatic top-up' })
  await attempts.getByText('Paid').first().waitFor()
  await page.getByText('One more pack would exceed the ceiling of this month').waitFor()
  await visitor.expectUsable('automatic top-up')
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('Off. A card is saved, so it can be switched on.').waitFor()
  // The page of the payment provider is another origin, to which the visitor was led on purpose.
  const others = visitor.faults.splice(0).filter((fault) => !fault.startsWith(`foreign request: ${sandboxUrl}`))
  expect(others).toEqual([])
}
