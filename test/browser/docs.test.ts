import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChromium, MISSING } from '../../scripts/browser/chromium.ts'
import { AI_TOKEN, type AiHarness, startAiHarness } from '../support/harness/aiHarness.ts'
import { type GatewayHarness, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import { expectLoopbackOnly, visit } from './visit.ts'

const executablePath = findChromium()

let browser: Browser | null = null
let ai: AiHarness
let gateway: GatewayHarness
beforeAll(async () => {
  if (!executablePath) return
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  ai = await startAiHarness()
  gateway = await startGatewayHarness()
})
afterAll(async () => {
  await browser?.close()
  await ai?.close()
  await gateway?.close()
})

/** Unfolds an operation, sends it as it stands and gives back the answer that the page shows. */
async function execute(page: Page, operation: string): Promise<{ status: string; body: string }> {
  const block = page.locator(`#${operation}`)
  await block.locator('.opblock-summary-control').first().click()
  await block.getByRole('button', { name: 'Execute' }).click()
  const live = block.locator('.live-responses-table')
  await live.waitFor()
  return {
    status: (await live.locator('.response-col_status').nth(1).innerText()).trim().split(/\s/)[0] ?? '',
    body: await live.locator('.microlight, code').first().innerText(),
  }
}

async function authorise(page: Page, token: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.locator('.modal-ux input').first().fill(token)
  await page
    .locator('.modal-ux')
    .getByRole('button', { name: /apply credentials|authorize/i })
    .first()
    .click()
  await page.locator('.modal-ux').getByRole('button', { name: 'Close', exact: true }).first().click()
}

test("the AI service's page sends requests and shows the answers; no request leaves loopback", async (context) => {
  if (!browser) return context.skip(MISSING)
  const { page, requestedUrls, faults } = await visit(browser, `${ai.url}/docs`)
  await page.getByText('Tollgate AI service').first().waitFor()
  const health = await execute(page, 'operations-Health-getHealth')
  expect(health).toMatchObject({ status: '200', body: expect.stringContaining('healthy') })
  await authorise(page, AI_TOKEN)
  const status = await execute(
    page,
    'operations-Match\\-score_generator-getApiV1BackgroundTasksMatchScoreGeneratorStatus',
  )
  expect(status).toMatchObject({ status: '200', body: expect.stringContaining('"current_batch"') })
  expectLoopbackOnly(requestedUrls)
  expect(faults).toEqual([])
  await page.close()
})

test("the gateway's page, too", async (context) => {
  if (!browser) return context.skip(MISSING)
  const { page, requestedUrls, faults } = await visit(browser, `${gateway.url}/llm/v1/docs`)
  await page.getByText('Tollgate gateway').first().waitFor()
  await authorise(page, gateway.key.raw)
  const models = await execute(page, 'operations-Models-getLlmV1Models')
  expect(models).toMatchObject({ status: '200', body: expect.stringContaining('svc/chat-default') })
  expectLoopbackOnly(requestedUrls)
  expect(faults).toEqual([])
  await page.close()
})
