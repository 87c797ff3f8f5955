import { expect } from 'vitest'
import { call, chatBody } from '../support/harness/gatewayClient.ts'
import type { Demo, Installation } from '../support/harness/installation.ts'
import { until } from '../support/time/until.ts'
import type { ConsoleVisitor } from './consolePages.ts'
import { requeuesTask } from './taskJourney.ts'
import { replaysPaymentEvent } from './webhookJourneys.ts'

/** A super admin adjusts a company's credits, suspends it, and resumes it. `onSuspended` runs in between, with the reason. */
export async function rulesCompanies(
  visitor: ConsoleVisitor,
  { gatewayUrl, companyName, apiKey }: Demo,
  onSuspended: (reason: string) => Promise<void>,
) {
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
  await page.getByText('Give a reason: the company and its auditors').waitFor()
  await dialog.getByLabel('Credits').fill('2.5')
  await dialog.getByLabel('Reason').fill('Goodwill')
  await visitor.expectUsable('adjustment')
  await dialog.getByRole('button', { name: 'Adjust' }).click()
  await dialog.waitFor({ state: 'hidden' })

  await pick('Suspend')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await page.getByText('Give a reason: the people').waitFor()
  const reason = 'Unpaid since May'
  await dialog.getByLabel('Reason').fill(reason)
  await visitor.expectUsable('suspension')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await row.getByText(reason).waitFor()
  await visitor.expectUsable('suspended company')
  await until('calls of the suspended company are refused', async () => (await status()) === 403)
  await onSuspended(reason)

  await pick('Resume')
  await dialog.getByRole('button', { name: 'Resume' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await until('calls are served again', async () => (await status()) === 200)
  await until('the row shows it', async () => (await row.getByText('Suspended').count()) === 0)
}

/** A super admin previews a change of prices, publishes it, and schedules another one. */
export async function changesPrices(visitor: ConsoleVisitor, fee: string) {
  const { page } = visitor
  const dialog = page.getByRole('dialog')
  const publish = async (when: RegExp) => {
    await page.getByRole('button', { name: 'Publish' }).click()
    await dialog.getByText('charged at the prices in force when it was admitted').waitFor()
    await dialog.getByText(when).waitFor()
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('Published.').waitFor()
  }
  await visitor.go('Prices')
  const cell = page.getByLabel('A call of svc/chat-default')
  await cell.fill('much')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('Correct the marked cells').waitFor()
  await visitor.expectUsable('faulty price')
  await cell.fill(fee)
  const tool = `tool:t${fee.slice(2)}`
  await pricesOtherKinds(visitor, 'svc/chat-default', { reasoning: fee, tool })
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('region', { name: 'Preview' }).getByText('All aliases').waitFor()
  await visitor.expectUsable('preview of prices')
  await publish(/about 5 seconds after you publish/)
  await page.reload()
  await cell.waitFor()
  await until('the fee is in force', async () => (await cell.inputValue()) === fee)
  await page.getByTitle(`call of ${tool.slice(5)}`).waitFor()

  await page.getByRole('button', { name: 'Retire: svc/extract-fast' }).click()
  await page.getByLabel('In force from').fill('2099-01-01T00:00')
  await publish(/2099/)
  await page.getByText('Scheduled').first().waitFor()
  await visitor.expectUsable('prices')
  expect(await page.getByLabel('Output of svc/extract-fast').isEnabled()).toBe(true)
}

/** Sets the rate for reasoning and a tool's price, which is faulty at first. */
async function pricesOtherKinds(
  visitor: ConsoleVisitor,
  alias: string,
  { reasoning, tool }: { readonly reasoning: string; readonly tool: string },
) {
  const { page } = visitor
  await page.getByRole('button', { name: `All kinds of ${alias}` }).click()
  const kinds = page.getByRole('region', { name: `All kinds of ${alias}` })
  await kinds.getByLabel('Reasoning').fill(reasoning)
  await kinds.getByRole('button', { name: 'Add a unit' }).click()
  await page.getByText('Correct the marked cells').waitFor()
  await visitor.expectUsable('faulty unit')
  await kinds.getByLabel('Unit', { exact: true }).last().fill(tool)
  await kinds.getByLabel('Credits for one').last().fill('0.01')
  await page.getByText('Correct the marked cells').waitFor({ state: 'hidden' })
}

/** A super admin sees where calls go, what is left to set up, and what the services log. */
export async function looksAtTheInstallation(visitor: ConsoleVisitor, installation: Installation) {
  const { page } = visitor
  const { demo } = installation
  const { gatewayUrl, apiKey } = demo
  const gateway = gatewayUrl.replace(/\/llm\/v1$/, '')
  await visitor.go('Models')
  await page.getByRole('region', { name: 'Providers of svc/chat-default' }).getByText('Closed').waitFor()
  await page
    .getByText(/^[1-9][\d,]* charged/)
    .first()
    .waitFor()
  await visitor.expectUsable('models')
  await page.getByRole('button', { name: 'Trial call: sandbox for svc/chat-default', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByText('It works', { exact: true }).waitFor()
  await visitor.expectUsable('trial call')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'hidden' })

  await visitor.go('Set-up')
  await page.getByText('6 aliases have a provider and a price').waitFor()
  await visitor.expectUsable('set-up')

  await visitor.go('Operations')
  await page.getByText('No parked tasks').waitFor()
  await page.getByText('All up to date', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'Leases' }).getByText('Seals the transparency log').waitFor()
  await page.getByText('Origin', { exact: true }).waitFor()
  await requeuesTask(visitor, installation)
  await runsTheGenerator(visitor)
  await replaysPaymentEvent(visitor, demo)
  await page.getByText('Live', { exact: true }).waitFor()
  const entries = page.getByRole('region', { name: 'Log entries' }).getByRole('listitem')
  await until('a call is logged', async () => {
    await call(gateway, '/llm/v1/chat/completions', { key: apiKey, body: chatBody() })
    return (await entries.count()) > 0
  })
  await visitor.expectUsable('operations')
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  await page.getByLabel('Text').fill('text that nobody logs')
  await page.getByText('No entry matches').waitFor()
  expect(await entries.count()).toBe(0)
}

/** A super admin learns what the generator of match scores spends, starts it, sees its figures, and stops it. */
async function runsTheGenerator({ page }: ConsoleVisitor) {
  await page.getByText('Matches since the start', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Start the generator' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This installation pays the providers').waitFor()
  const changes: string[] = []
  page.on('request', (request) => changes.push(...(request.postData()?.match(/startGenerator/g) ?? [])))
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(changes).toEqual([])
  await page.getByRole('button', { name: 'Start the generator' }).click()
  await dialog.getByRole('button', { name: 'Start it' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const stop = page.getByRole('button', { name: 'Stop the generator' })
  await page.getByText(/^(Started|Scoring)$/).waitFor()
  await stop.click()
  await page.getByRole('button', { name: 'Start the generator' }).waitFor()
  await page.getByText('Stopped', { exact: true }).waitFor()
}
