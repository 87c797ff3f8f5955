import { expect } from 'vitest'
import type { Demo } from '../support/harness/installation.ts'
import { deliver, providerEvent, signed } from '../support/parties/paymentEventDelivery.ts'
import type { WebhookReceiver } from '../support/parties/webhookReceiver.ts'
import { until } from '../support/time/until.ts'
import type { ConsoleVisitor } from './consolePages.ts'

/** Adds an endpoint that gets all messages of the company. */
export async function addsEndpoint(visitor: ConsoleVisitor, url: string): Promise<void> {
  const { page } = visitor
  await page.getByRole('button', { name: 'New endpoint' }).click()
  await page.getByLabel('Address').fill(url)
  await page.getByRole('button', { name: 'Create endpoint' }).click()
  await page.locator('[data-secret]').waitFor()
  await visitor.savedSecret()
}

/** Sends a message again that the endpoint has got, under the same id, and deletes the endpoint. */
export async function sendsAgain(visitor: ConsoleVisitor, receiver: WebhookReceiver): Promise<void> {
  const { page } = visitor
  const idsOf = () => receiver.at('/tollgate').map(({ headers }) => headers['webhook-id'])
  await until('a message arrives', () => idsOf().length > 0)
  await page.getByRole('button', { name: 'Deliveries to' }).click()
  const dialog = page.getByRole('dialog')
  const delivered = dialog.getByRole('row').filter({ hasText: 'Delivered' }).first()
  await delivered.waitFor()
  await visitor.expectUsable('deliveries')
  await delivered.getByRole('button', { name: /^Send again: / }).click()
  await until('a message arrives twice', () => new Set(idsOf()).size < idsOf().length)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: `Delete ${receiver.url}` }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No endpoints yet').waitFor()
}

/** Replays an event of the payment provider that could not be processed; it fails for the same reason again. */
export async function replaysPaymentEvent(
  { page }: ConsoleVisitor,
  { backendUrl, webhookSecret }: Demo,
): Promise<void> {
  const event = providerEvent('invoice.paid', {})
  const payload = JSON.stringify(event)
  const signature = signed(payload, Math.floor(Date.now() / 1000), webhookSecret)
  expect((await deliver(backendUrl, payload, signature)).status).toBe(200)
  await page.getByRole('button', { name: 'Failed', exact: true }).click()
  const replay = page.getByRole('button', { name: `Replay: invoice.paid ${event.id}` })
  await replay.waitFor()
  const answered = page.waitForResponse((response) => /replayWebhook/.test(response.request().postData() ?? ''))
  await replay.click()
  expect(await (await answered).json()).toMatchObject({ data: { replayWebhook: { id: event.id } } })
  await replay.waitFor()
}
