import type { Demo } from '../support/harness/installation.ts'
import { press, stripeClient } from '../support/harness/paymentSandboxClient.ts'
import type { ConsoleVisitor } from './consolePages.ts'

/** A super admin finds a payment that the ledger does not know, and explains it. */
export async function explainsDifference(visitor: ConsoleVisitor, demo: Demo, reason: string): Promise<void> {
  const { page } = visitor
  const charge = await paidBeside(demo)
  await visitor.go('Payments')
  await page.getByRole('button', { name: 'Compare again' }).click()
  const row = page
    .getByRole('region', { name: 'Findings of the reconciliation' })
    .getByRole('row')
    .filter({ hasText: charge })
  await row.getByText('Payment without credits').waitFor()
  await page.getByText(/\d+ differences? without an explanation/).waitFor()
  await visitor.expectUsable('reconciliation with a difference')
  await row.getByRole('button', { name: /^Explain: / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Explain' }).click()
  await dialog.getByText('Give a reason: auditors will read it').waitFor()
  await dialog.getByLabel('Reason').fill(reason)
  await visitor.expectUsable('explanation')
  await dialog.getByRole('button', { name: 'Explain' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await row.getByText('Explained').waitFor()
  await row.getByText(reason).waitFor()
  await page.getByText('Payments and ledgers agree. The month goes on').waitFor()
  await page.getByRole('button', { name: 'Last month' }).click()
  await page.getByText(/Payments and ledgers agree\.$/).waitFor()
  await row.waitFor({ state: 'detached' })
}

/** A customer of ours pays for something at the provider that we have not sold. Returns the payment. */
async function paidBeside({ sandboxUrl, companyId }: Demo): Promise<string> {
  const stripe = stripeClient(sandboxUrl)
  const customers = await stripe.customers.list({ limit: 100 })
  const customer = customers.data.find(({ metadata }) => metadata.companyId === companyId)
  const prices = await stripe.prices.list({ limit: 100 })
  const price = prices.data.find(({ active, recurring }) => active && recurring === null)
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    customer: customer?.id ?? '',
    line_items: [{ price: price?.id ?? '', quantity: 1 }],
    success_url: 'https://shop.example/paid',
  })
  await press(session.url ?? '', 'pay')
  const { data } = await stripe.charges.list({ limit: 1 })
  return data[0]?.id ?? ''
}
