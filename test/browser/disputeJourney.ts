import type { Demo } from '../support/harness/installation.ts'
import { press, stripeClient } from '../support/harness/paymentSandboxClient.ts'
import { until } from '../support/time/until.ts'
import type { ConsoleVisitor } from './consolePages.ts'
import { ask, sandboxControl } from './parties.ts'

const PACKS = '{ creditPacks { id credits } }'
const CHECKOUT = 'mutation ($packId: ID!) { createCheckout(input: { packId: $packId }) { url purchaseId } }'
const PURCHASES = '{ purchases { id status } }'

/**
 * A purchase of the company is disputed, and the bank decides for the payment. A super admin sees the dispute and how it
 * ends; an owner sees meanwhile that the credits are taken back and why calls are refused.
 */
export async function seesDispute(
  visitor: ConsoleVisitor,
  demo: Demo,
  openOwner: () => Promise<ConsoleVisitor>,
): Promise<void> {
  const { page } = visitor
  const control = sandboxControl(demo)
  await control('webhook-types', { types: 'all' })
  const charge = await bought(demo)
  const dispute = await control(`charges/${charge}/dispute`, { reason: 'product_not_received' })
  const row = page.getByRole('region', { name: 'Disputed payments' }).getByRole('row').filter({ hasText: charge })
  const shows = (state: string) =>
    until(`the dispute is shown as "${state}"`, async () => {
      await page.goto(`${visitor.origin}/payments`)
      await page.getByRole('heading', { name: 'Disputed payments' }).waitFor()
      await page.waitForLoadState('networkidle')
      return (await row.getByText(state).count()) === 1
    })
  await shows('Needs a response')
  await row.getByText('$10.00').waitFor()
  await row.getByText('product not received').waitFor()
  await row.getByRole('link', { name: demo.companyName }).waitFor()
  await visitor.expectUsable('disputed payments')
  const owner = await openOwner()
  await seesWithdrawal(owner, dispute.id)
  await control(`disputes/${dispute.id}/close`, { outcome: 'won' })
  await shows('Won')
  await control('webhook-types', { types: 'required' })
  await seesReinstatement(owner, dispute.id)
  await owner.leave()
}

/** Buys the first pack. Returns the payment for it. */
async function bought(demo: Demo): Promise<string> {
  const { creditPacks } = await ask(demo, demo.adminToken, PACKS)
  const { createCheckout } = await ask(demo, demo.adminToken, CHECKOUT, { packId: creditPacks[0].id })
  await press(createCheckout.url, 'pay')
  await until('the pack is paid', async () => {
    const { purchases } = await ask(demo, demo.adminToken, PURCHASES)
    type Purchase = { readonly id: string; readonly status: string }
    return (purchases as Purchase[]).find(({ id }) => id === createCheckout.purchaseId)?.status === 'COMPLETED'
  })
  const { data } = await stripeClient(demo.sandboxUrl).charges.list({ limit: 1 })
  return data[0]?.id ?? ''
}

/** The company is suspended, and the statement and the lots say where its credits are. */
async function seesWithdrawal(owner: ConsoleVisitor, disputeId: string): Promise<void> {
  const { page } = owner
  await until('the company is suspended', async () => {
    await page.reload()
    await owner.heading('Overview')
    return (await page.getByText(`This company is suspended: payment disputed: ${disputeId}`).count()) === 1
  })
  await page.getByText('refused until the dispute has ended').waitFor()
  await owner.expectUsable('company with a disputed payment')
  await owner.go('Billing')
  const taken = lotRows(owner).filter({ hasText: 'Taken back' })
  await taken.getByText('refunded, disputed or corrected').waitFor()
  await owner.expectUsable('lots of a disputed payment')
  await seesEntries(owner, disputeId, 1)
}

async function seesReinstatement(owner: ConsoleVisitor, disputeId: string): Promise<void> {
  const { page } = owner
  await until('the company is resumed', async () => {
    await page.goto(`${owner.origin}/billing`)
    await lotRows(owner).nth(1).waitFor()
    return (await page.getByText('This company is suspended').count()) === 0
  })
  await lotRows(owner).filter({ hasText: 'Taken back' }).waitFor({ state: 'detached' })
  await seesEntries(owner, disputeId, 2)
}

const lotRows = ({ page }: ConsoleVisitor) => page.getByRole('region', { name: 'Lots of credits' }).getByRole('row')

/** The statement has the withdrawal, and later what was given back. */
async function seesEntries(owner: ConsoleVisitor, disputeId: string, count: number): Promise<void> {
  const { page } = owner
  await page.goto(`${owner.origin}/statement`)
  await page.getByRole('region', { name: 'Totals by type' }).waitFor()
  const more = page.getByRole('button', { name: 'Show later entries' })
  while ((await more.count()) > 0) await more.click().catch(() => {})
  const rows = page.getByRole('region', { name: 'Entries of the ledger' }).getByRole('row')
  await until(`the statement has ${count} entries of the dispute`, async () => {
    return (await rows.filter({ hasText: disputeId }).count()) === count
  })
}
