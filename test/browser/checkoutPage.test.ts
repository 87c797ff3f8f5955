import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChromium, MISSING } from '../../scripts/browser/chromium.ts'
import { call, chatBody } from '../support/harness/gatewayClient.ts'
import { type Installation, startInstallation } from '../support/harness/installation.ts'
import { until } from '../support/time/until.ts'
import { expectLoopbackOnly, visit } from './visit.ts'

const executablePath = findChromium()
let browser: Browser | null = null
let installation: Installation

beforeAll(async () => {
  if (!executablePath) return
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  installation = await startInstallation()
})
afterAll(async () => {
  await browser?.close()
  await installation?.stop()
})

/** A GraphQL request over HTTP with a token, as a dashboard sends it. */
// biome-ignore lint/suspicious/noExplicitAny: the fields are asserted, not used.
async function ask(query: string, variables: object = {}, token?: string): Promise<any> {
  const answer = await fetch(`${installation.demo.backendUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = (await answer.json()) as { data: unknown; errors?: unknown }
  expect(errors).toBeUndefined()
  return data
}

const transactionTypes = async (token: string): Promise<string[]> => {
  const { creditTransactions } = await ask('{ creditTransactions { nodes { type } } }', {}, token)
  return creditTransactions.nodes.map(({ type }: { type: string }) => type)
}
const balance = async (token: string): Promise<number> =>
  (await ask('{ creditBalance { credits } }', {}, token)).creditBalance.credits

test('a new admin buys a pack in the browser, calls a model with it and gets a refund', async (context) => {
  if (!browser) return context.skip(MISSING)
  const { adminEmail: email, adminPassword: password, gatewayUrl, sandboxUrl } = installation.demo
  const LOGIN = 'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { token } }'
  const { token } = (await ask(LOGIN, { email, password })).login
  const minted = await ask('mutation { mintApiKey(input: { name: "first" }) { secret } }', {}, token)

  // It gets its price at the provider a moment after the first start.
  const forSale = async () => (await ask('{ creditPacks { id name credits price } }', {}, token)).creditPacks
  const pack = await until('a pack is for sale', async () => (await forSale())[0])
  const before = await balance(token)
  const CHECKOUT = 'mutation ($packId: ID) { createCheckout(input: { packId: $packId }) { url purchaseId } }'
  const { url, purchaseId } = (await ask(CHECKOUT, { packId: pack.id }, token)).createCheckout
  const statusOfPurchase = async () => {
    const { purchases } = await ask('{ purchases { id status } }', {}, token)
    return purchases.find(({ id }: { id: string }) => id === purchaseId).status
  }
  expect(await statusOfPurchase()).toBe('PENDING')

  const { page, requestedUrls, faults } = await visit(browser, url)
  await page.getByText(pack.name).first().waitFor()
  await page.locator('button[name=outcome][value=decline]').click()
  await page
    .getByText(/declined/i)
    .first()
    .waitFor()
  expect(await statusOfPurchase()).toBe('PENDING')
  await page.locator('button[name=outcome][value=pay]').click()
  await page
    .getByText(/paid|thank/i)
    .first()
    .waitFor()

  await until('the purchase is completed', async () => (await statusOfPurchase()) === 'COMPLETED')
  await until('the credits are there', async () => (await balance(token)) === before + pack.credits)
  expect(await transactionTypes(token)).toContain('PACK_PURCHASE')
  const paid = async () => (await ask('{ invoices { status amount } }', {}, token)).invoices
  await until('the invoice is paid', async () => (await paid()).length === 1)
  expect(await paid()).toEqual([{ status: 'PAID', amount: pack.price }])

  const answer = await call(gatewayUrl.replace(/\/llm\/v1$/, ''), '/llm/v1/chat/completions', {
    key: minted.mintApiKey.secret,
    body: chatBody(),
  })
  expect(answer.status).toBe(200)
  expect(Number(answer.headers['x-credits-charged'])).toBeGreaterThan(0)
  await until('the call is charged', async () => (await transactionTypes(token)).includes('USAGE'))

  await refundOn(page, sandboxUrl)
  await until('the credits are taken back', async () => (await transactionTypes(token)).includes('REFUND'))
  await until('the balance is what it was, less the call', async () => {
    const now = await balance(token)
    return now < before && now > before - 1
  })
  expectLoopbackOnly(requestedUrls)
  expect(faults).toEqual([])
  await page.close()
})

async function refundOn(page: Page, sandboxUrl: string): Promise<void> {
  await page.goto(`${sandboxUrl}/payments`)
  await page.getByRole('button', { name: 'Refund the rest' }).first().click()
}
