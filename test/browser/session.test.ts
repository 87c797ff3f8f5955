import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChromium, MISSING } from '../../scripts/browser/chromium.ts'
import { type Installation, startInstallation } from '../support/harness/installation.ts'
import { PATIENCE } from '../support/time/patience.ts'
import { expectLoopbackOnly, PAGE_MS_MAX, visit } from './visit.ts'

const executablePath = findChromium()
/** The console is built after the first start, which takes long on a busy machine. */
const CONSOLE_BUILT_MS_MAX = 120_000 * PATIENCE
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

test('the link of the start signs the demo admin in once; GraphiQL then works, and foreign pages cannot use the session', async (testContext) => {
  if (!browser) return testContext.skip(MISSING)
  const { backendUrl, sandboxUrl, signInUrl, adminEmail } = installation.demo
  const context = await browser.newContext()
  context.setDefaultTimeout(PAGE_MS_MAX)
  const page = await context.newPage()
  await page.goto(signInUrl)
  await page.waitForURL(`${backendUrl}/`)
  const whoAmI = () =>
    page.evaluate(async () => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ query: '{ whoAmI { email } }' })
      return (await fetch('/graphql', { method: 'POST', headers, body })).json()
    })
  await page.goto(`${backendUrl}/session/link.js`)
  expect(await whoAmI()).toEqual({ data: { whoAmI: { email: adminEmail } } })
  expect(await page.evaluate(() => document.cookie)).toBe('')

  const again = await visit(browser, signInUrl)
  await again.page.getByText('This link was used before or has expired').waitFor()
  expect(new URL(again.page.url()).hash).toBe('')
  await again.page.close()
  // The browser that used it is signed in.
  await page.goto(signInUrl)
  await page.waitForURL(`${backendUrl}/`)

  const graphiql = await context.newPage()
  const requestedUrls: string[] = []
  const faults: string[] = []
  graphiql.on('request', (request) => requestedUrls.push(request.url()))
  graphiql.on('pageerror', (error) => faults.push(error.message))
  graphiql.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  await graphiql.goto(`${backendUrl}/graphql`)
  await graphiql.getByRole('button', { name: /execute query/i }).click()
  await graphiql.locator('.graphiql-response').getByText(adminEmail).waitFor()
  expectLoopbackOnly(requestedUrls)
  expect(faults).toEqual([])

  const stranger = await (await browser.newContext()).newPage()
  stranger.setDefaultTimeout(PAGE_MS_MAX)
  await stranger.goto(`${backendUrl}/graphql`)
  expect(stranger.url()).toBe(`${backendUrl}/sign-in?to=%2Fgraphql`)
  await stranger.getByRole('button', { name: /auditor/i }).click({ timeout: CONSOLE_BUILT_MS_MAX })
  await stranger.getByRole('button', { name: /execute query/i }).waitFor()
  await stranger.context().close()

  // The same site, because it is another port of the same host: the browser sends the cookie along.
  const foreign = await context.newPage()
  await foreign.goto(`${sandboxUrl}/payments`)
  const attack = (url: string) =>
    foreign.evaluate(async (target) => {
      const body = '{"query":"mutation { signOutEverywhere }"}'
      await fetch(target, { method: 'POST', mode: 'no-cors', credentials: 'include', body }).catch(() => {})
      const socket = new WebSocket(target.replace('http', 'ws'), 'graphql-transport-ws')
      return new Promise<string>((resolve) => {
        socket.onopen = () => resolve('opened')
        socket.onerror = () => resolve('refused')
      })
    }, url)
  expect(await attack(`${backendUrl}/graphql`)).toBe('refused')
  expect(await whoAmI()).toEqual({ data: { whoAmI: { email: adminEmail } } })
  await context.close()
})
