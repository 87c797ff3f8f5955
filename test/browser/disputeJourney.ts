import type { Demo } from '../support/harness/installation.ts'
import { until } from '../support/time/until.ts'
import type { ConsoleVisitor } from './consolePages.ts'

/** A super admin sees a payment that is disputed, and how the dispute ends. */
export async function seesDispute(
  visitor: ConsoleVisitor,
  { sandboxUrl, companyId, companyName }: Demo,
): Promise<void> {
  const { page } = visitor
  const control = async (
    path: string,
    fields: object = {},
  ): Promise<{ readonly id: string; readonly charge: string }> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(fields) }
    return (await (await fetch(`${sandboxUrl}/sandbox/${path}`, init)).json()) as never
  }
  await control('webhook-types', { types: 'all' })
  const invoice = await control('invoices', { amount: 1_250, metadata: { companyId } })
  const { charge } = await control(`invoices/${invoice.id}/pay`)
  const dispute = await control(`charges/${charge}/dispute`, { reason: 'product_not_received' })
  const row = page.getByRole('region', { name: 'Disputed payments' }).getByRole('row').filter({ hasText: charge })
  const shows = (state: string) =>
    until(`the dispute is shown as "${state}"`, async () => {
      await page.goto(`${visitor.origin}/companies`)
      await page.getByRole('heading', { name: 'Disputed payments' }).waitFor()
      await page.waitForLoadState('networkidle')
      return (await row.getByText(state).count()) === 1
    })
  await shows('Needs a response')
  await row.getByText('12.5 USD').waitFor()
  await row.getByText('product not received').waitFor()
  await row.getByRole('link', { name: companyName }).waitFor()
  await visitor.expectUsable('disputed payments')
  await control(`disputes/${dispute.id}/close`, { outcome: 'won' })
  await shows('Won')
  await control('webhook-types', { types: 'required' })
}
