import { expect } from 'vitest'
import type { Demo } from '../support/harness/installation.ts'
import { stripeClient } from '../support/harness/paymentSandboxClient.ts'
import type { ConsoleVisitor } from './consolePages.ts'
import { ask, sandboxControl } from './parties.ts'

/** More credits than the company of the demo has, so that its balance is below them at once. */
const ABOVE_ANY_BALANCE = '4000000000'
const GRANT = 'mutation ($id: ID!) { grantCredits(companyId: $id, credits: 1, reason: "the journey") { id } }'
/** So many declines in a row switch automatic top-up off. */
const DECLINES_MAX = 3

/**
 * Saves a card at the checkout of a pack and lets automatic top-up buy packs by it. The bank declines three payments, which
 * switches it off. Switched on again, it makes a payment that the bank wants confirmed, and the ceiling holds the next one back.
 */
export async function topsUp(visitor: ConsoleVisitor, demo: Demo): Promise<void> {
  const { page } = visitor
  const control = sandboxControl(demo)
  await visitor.go('Billing')
  const billing = page.url()
  await savesCard(visitor, billing)
  const bankWill = await bankOf(demo)
  const form = page.getByRole('form', { name: 'Automatic top-up' })
  const switchOn = form.getByRole('button', { name: 'Switch on' })
  await switchOn.click()
  await form.getByText('Enter a number of credits above 0').waitFor()
  const price = await page.getByRole('region', { name: 'Credit packs' }).locator('.number').nth(1).innerText()
  await form.getByLabel('Balance below (credits)').fill(ABOVE_ANY_BALANCE)
  await form.getByLabel(/^Spend at most per month/).fill(price.replace(/[^\d.]/g, ''))
  await visitor.expectUsable('automatic top-up before it is on')
  await bankWill('decline')
  await switchOn.click()
  const attempts = page.getByRole('region', { name: 'Attempts of automatic top-up' }).locator('tbody').getByRole('row')
  await attempts.filter({ hasText: 'Declined' }).getByText('Your card was declined.').waitFor()
  await page.getByText('The last attempt failed:').waitFor()
  await visitor.expectUsable('declined top-up')
  for (let count = 2; count <= DECLINES_MAX; count++) {
    // The grant ends the fall of the balance, and the next one begins at once.
    await ask(demo, demo.superAdminToken, GRANT, { id: demo.companyId })
    await attempts
      .filter({ hasText: 'Declined' })
      .nth(count - 1)
      .waitFor()
  }
  await page.getByText('Three payments in a row were declined, which switched it off').waitFor()
  await visitor.expectUsable('top-up that declines have switched off')

  await control('webhook-types', { types: 'all' })
  await bankWill('confirm')
  await switchOn.click()
  await page.getByText('The bank asks you to confirm the last payment').waitFor()
  await attempts.first().getByText('To be confirmed').waitFor()
  await visitor.expectUsable('top-up to be confirmed')
  await attempts.first().getByRole('link', { name: 'Confirm the payment' }).click()
  await page.locator('button[name=outcome][value=pay]').click()
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await page.goto(billing)
  await attempts.first().getByText('Paid').waitFor()
  await control('webhook-types', { types: 'required' })
  await page.getByText('One more pack would exceed the ceiling of this month').waitFor()
  await page.getByText('are used in this month').waitFor()
  await visitor.expectUsable('automatic top-up')
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('A card is saved, so it can be switched on.').waitFor()
  // The pages of the payment provider and the bank are other origins, to which the visitor was led on purpose.
  const others = visitor.faults.splice(0).filter((fault) => !fault.startsWith(`foreign request: ${demo.sandboxUrl}`))
  expect(others).toEqual([])
}

/** Buys a pack and agrees that its card is saved. */
async function savesCard(visitor: ConsoleVisitor, billing: string): Promise<void> {
  const { page } = visitor
  await page.getByText('Buy a pack with “Save this card” first').waitFor()
  await page.getByRole('checkbox', { name: /^Save this card/ }).check()
  await page.getByRole('button', { name: /^Buy / }).first().click()
  await page.locator('button[name=outcome][value=pay]').click()
  await page
    .getByText(/paid|thank/i)
    .first()
    .waitFor()
  await page.goto(billing)
  await visitor.heading('Billing')
}

/** Tells the bank what to do with payments by the card that was saved last. */
async function bankOf(demo: Demo): Promise<(outcome: 'pay' | 'decline' | 'confirm') => Promise<unknown>> {
  const { data } = await stripeClient(demo.sandboxUrl).paymentIntents.list({ limit: 1 })
  const methodId = String(data[0]?.payment_method)
  return (outcome) => sandboxControl(demo)(`payment_methods/${methodId}/outcome`, { outcome })
}
