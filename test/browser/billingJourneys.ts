import { expect } from 'vitest'
import { call } from '../support/harness/gatewayClient.ts'
import type { Demo } from '../support/harness/installation.ts'
import { startWebhookReceiver } from '../support/parties/webhookReceiver.ts'
import type { ConsoleVisitor } from './consolePages.ts'
import { addsEndpoint, sendsAgain } from './webhookJourneys.ts'

/** Buys a pack and subscribes to a plan on the pages of the payment provider, cancels the plan, and undoes that. */
export async function buysCredits(visitor: ConsoleVisitor, demo: Demo): Promise<void> {
  const { page } = visitor
  const { sandboxUrl } = demo
  await visitor.go('Billing')
  const billing = page.url()
  const payFor = async (button: RegExp) => {
    await page.getByRole('button', { name: button }).first().click()
    await page.locator('button[name=outcome][value=pay]').click()
    await page
      .getByText(/paid|thank/i)
      .first()
      .waitFor()
    await page.goto(billing)
    await visitor.heading('Billing')
  }
  await payFor(/^Buy /)
  await page.getByRole('region', { name: 'Purchases' }).getByText('Paid').first().waitFor()
  const receiver = await startWebhookReceiver()
  try {
    await addsEndpoint(visitor, `${receiver.url}/tollgate`)
    await payFor(/^Subscribe to /)
    await page.getByText('yours', { exact: true }).waitFor()
    await visitor.expectUsable('billing with a plan')
    await sendsAgain(visitor, receiver)
  } finally {
    await receiver.close()
  }
  await changesPlan(visitor, demo)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the subscription' }).click()
  await page.getByRole('button', { name: 'Undo the cancellation' }).click()
  await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor()
  // The page of the payment provider is another origin, to which the visitor was led on purpose.
  const others = visitor.faults.splice(0).filter((fault) => !fault.startsWith(`foreign request: ${sandboxUrl}`))
  expect(others).toEqual([])
}

/** Changes to a plan that costs more and grants more, which is in force at once. */
async function changesPlan({ page }: ConsoleVisitor, { backendUrl, superAdminToken }: Demo): Promise<void> {
  const name = 'Large plan of the journey'
  const offer = `name: "${name}", billingMode: PREPAID, price: 900, currency: "usd", creditsPerPeriod: 500000`
  for (const mutation of [`createPlan(input: { ${offer} }) { id }`, 'syncAllPlansProviderPricing { id }']) {
    const body = { query: `mutation { ${mutation} }` }
    expect((await call(backendUrl, '/graphql', { key: superAdminToken, body })).status).toBe(200)
  }
  await page.reload()
  await page.getByRole('button', { name: `Change to ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Change the plan' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('row').filter({ hasText: name }).getByText('yours', { exact: true }).waitFor()
}

/** Sets when to be told of a low balance, and adds and removes an endpoint for messages. */
export async function setsNotices(visitor: ConsoleVisitor): Promise<void> {
  const { page } = visitor
  await visitor.go('Billing')
  await page.getByLabel('Low-balance mail').getByRole('combobox').selectOption('AMOUNT')
  await page.getByLabel('Credits', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Enter a number of credits.').waitFor()
  await page.getByLabel('Credits', { exact: true }).fill('250')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Turn the hard cap' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'New endpoint' }).click()
  await page.getByLabel('Address').fill('https://billing.example/tollgate')
  await visitor.expectUsable('new endpoint')
  await page.getByRole('button', { name: 'Create endpoint' }).click()
  await page.locator('[data-secret]').waitFor()
  await visitor.savedSecret()
  await page.getByRole('button', { name: 'Deliveries to' }).click()
  await page.getByText('No messages yet').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await visitor.expectUsable('billing')
  await page.getByRole('button', { name: 'Delete https' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No endpoints yet').waitFor()
}

/** Invites a person, withdraws the invitation, and sees the own sessions. */
export async function invitesPeople(visitor: ConsoleVisitor, email: string): Promise<void> {
  const { page } = visitor
  await visitor.go('People')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByText('Enter an email address.').waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Role').selectOption('BILLING')
  await visitor.expectUsable('invitation')
  await page.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByRole('button', { name: `Withdraw the invitation of ${email}` }).waitFor()
  await page.getByText('this one').waitFor()
  await visitor.expectUsable('people')
  await page.getByRole('button', { name: `Withdraw the invitation of ${email}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('No open invitations').waitFor()
}

/** A role that changes nothing reads the settings as text, without controls that are disabled. */
export async function seesNoControls(visitor: ConsoleVisitor): Promise<void> {
  const { page } = visitor
  await visitor.go('Billing')
  await page.getByText(/^Low-balance mail: /).waitFor()
  expect(await page.getByRole('main').locator(':disabled').count()).toBe(0)
}

/** Whoever only reads sees the people and changes nothing, but ends all sessions of their own. */
export async function signsOutEverywhere(visitor: ConsoleVisitor): Promise<void> {
  const { page } = visitor
  await visitor.go('People')
  await page.getByText('this one').waitFor()
  expect(await page.getByRole('button', { name: /^(Invite|Actions for)/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}
