import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChromium, MISSING } from '../../scripts/browser/chromium.ts'
import { call, chatBody } from '../support/gatewayClient.ts'
import { type Installation, startInstallation } from '../support/installation.ts'
import { until } from '../support/until.ts'
import { buysCredits, invitesPeople, setsNotices, signsOutEverywhere } from './billingJourneys.ts'
import { ConsoleVisitor, LOOKS } from './consolePages.ts'
import { joinsAndForgets } from './gateJourneys.ts'
import { followTrail, readStatement } from './moneyJourneys.ts'
import { changesPrices, looksAtTheInstallation, rulesCompanies } from './superAdminJourney.ts'

/** The build has the lowest priority, and the machine may be busy. */
const BUILD_MS_MAX = 90_000

/** Of the sign-in page and the overview together, compressed. */
const FIRST_LOAD_BYTES_MAX = 250_000

const executablePath = findChromium()
let browser: Browser | null = null
let installation: Installation
let origin: string

beforeAll(async () => {
  if (!executablePath) return
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  installation = await startInstallation()
  origin = installation.demo.backendUrl
  const isBuilt = async () => (await (await fetch(`${origin}/`)).text()).includes('/assets/')
  await until('the console is built', isBuilt, BUILD_MS_MAX)
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await installation?.stop()
})

test.for(LOOKS)(
  'an admin mints a key, calls with it and proves the charge ($width px, $colours)',
  {
    timeout: 240_000,
  },
  async (look, context) => {
    if (!browser) return context.skip(MISSING)
    const { adminEmail, adminPassword, gatewayUrl } = installation.demo
    const visitor = await ConsoleVisitor.open(browser, origin, look)
    const { page } = visitor
    await page.getByLabel('E-mail').waitFor()
    await visitor.expectUsable('sign-in')
    await visitor.signIn(adminEmail, adminPassword)
    await page.getByText('Balance').waitFor()
    await visitor.expectUsable('overview')

    await visitor.go('Keys')
    const name = `Journey ${look.width} ${look.colours}`
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Give the key a name').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByLabel('Budget in credits').fill('5')
    await visitor.expectUsable('new key')
    await page.getByRole('button', { name: 'Create key' }).click()
    const secret = await page.locator('[data-secret]').innerText()
    await visitor.expectUsable('secret')
    await page.getByRole('tab', { name: 'Python' }).click()
    await page.getByText('from openai import OpenAI').waitFor()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('button', { name: `Actions for ${name}` }).waitFor()
    await visitor.expectUsable('keys')

    const gateway = gatewayUrl.replace(/\/llm\/v1$/, '')
    const ask = () => call(gateway, '/llm/v1/chat/completions', { key: secret, body: chatBody() })
    const answer = await until('the gateway knows the key', async () => {
      const got = await ask()
      return got.status === 200 ? got : null
    })
    const id = String(answer.headers['x-request-id'])

    await visitor.go('Calls')
    // Lists are read again every few seconds.
    const row = page.getByRole('row').filter({ hasText: name })
    await row.first().waitFor()
    await visitor.expectUsable('calls')
    await row.first().getByRole('link').click()
    await visitor.heading('Call')
    expect(page.url()).toContain(`/calls/${id}`)
    await page
      .getByText(`${Number(answer.headers['x-credits-charged'])}`, { exact: false })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Prove it' }).click()
    await page.getByText('Every check passed.').waitFor()
    await visitor.expectUsable('call')

    await visitor.go('Usage')
    await page.getByRole('button', { name: 'Download CSV' }).waitFor()
    await page.getByText('svc/chat-default').first().waitFor()
    await visitor.expectUsable('usage')

    await visitor.go('Keys')
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await until('the key is refused', async () => (await ask()).status === 401)
    await visitor.leave()
  },
)

test.for(LOOKS)(
  'an auditor reads, checks and follows what happened in the company ($width px, $colours)',
  { timeout: 120_000 },
  async (look, context) => {
    if (!browser) return context.skip(MISSING)
    const visitor = await ConsoleVisitor.open(browser, origin, look)
    await visitor.page.getByRole('button', { name: /^Auditor/ }).click()
    await readStatement(visitor, origin)
    await followTrail(visitor)
    await visitor.leave()
  },
)

test('an owner buys a pack, subscribes to a plan, cancels it and undoes that', {
  timeout: 120_000,
}, async (context) => {
  if (!browser) return context.skip(MISSING)
  const visitor = await ConsoleVisitor.open(browser, origin, { width: 1280, colours: 'light' })
  await visitor.page.getByRole('button', { name: /^Owner/ }).click()
  await buysCredits(visitor, installation.demo)
  await visitor.leave()
})

test.for(LOOKS)(
  'an owner sets notices and webhooks and invites people ($width px, $colours)',
  { timeout: 120_000 },
  async (look, context) => {
    if (!browser) return context.skip(MISSING)
    const visitor = await ConsoleVisitor.open(browser, origin, look)
    await visitor.page.getByRole('button', { name: /^Owner/ }).click()
    await visitor.heading('Overview')
    await setsNotices(visitor)
    await invitesPeople(visitor, `colleague-${look.width}-${look.colours}@demo.example`)
    await visitor.leave()
  },
)

test('a colleague joins by the link of an invitation, and gets in again by that of a password reset', {
  timeout: 120_000,
}, async (context) => {
  if (!browser) return context.skip(MISSING)
  const visitor = await ConsoleVisitor.open(browser, origin, { width: 1280, colours: 'light' })
  await joinsAndForgets(visitor, installation.demo, 'newcomer@demo.example')
  await visitor.leave()
})

test('an auditor sees the people and signs out everywhere', async (context) => {
  if (!browser) return context.skip(MISSING)
  const visitor = await ConsoleVisitor.open(browser, origin, { width: 390, colours: 'light' })
  await visitor.page.getByRole('button', { name: /^Auditor/ }).click()
  await visitor.heading('Statement')
  await signsOutEverywhere(visitor)
  await visitor.leave()
})

test('the first load is at most 250 KB, and other pages come when they are opened', async (context) => {
  if (!browser) return context.skip(MISSING)
  const visitor = await ConsoleVisitor.open(browser, origin, { width: 1280, colours: 'light' })
  const { page } = visitor
  await page.getByRole('button', { name: /^Owner/ }).click()
  await page.getByRole('heading', { name: 'Credits a day, by model' }).waitFor()
  const loaded = `performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => [name, encodedBodySize])`
  const files = ((await page.evaluate(loaded)) as [string, number][]).filter(([name]) => name.includes('/assets/'))
  expect(files.map(([name]) => name).join()).toContain('OverviewPage')
  expect(files.map(([name]) => name).join()).not.toMatch(/(Keys|Usage|Calls?)Page/)
  const bytes = files.reduce((sum, [, size]) => sum + size, 0)
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX)
  await visitor.leave()
})

test('a page that is reloaded, or opened before signing in, is shown afterwards', async (context) => {
  if (!browser) return context.skip(MISSING)
  const visitor = await ConsoleVisitor.open(browser, `${origin}`, { width: 1280, colours: 'light' })
  const { page } = visitor
  await page.goto(`${origin}/usage?days=7`)
  await page.getByRole('button', { name: /^Auditor/ }).click()
  await visitor.heading('Usage')
  expect(new URL(page.url()).searchParams.get('days')).toBe('7')
  await page.reload()
  await visitor.heading('Usage')
  // An auditor reads keys and creates none.
  await visitor.go('Keys')
  await page.getByText('Demo key').waitFor()
  expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0)
  await page.getByRole('button', { name: /auditor@/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('E-mail').waitFor()
  await page.goto(`${origin}/keys`)
  await page.getByLabel('E-mail').waitFor()
  await visitor.leave()
})

test('on a phone, colours are switched and people sign out in the drawer', async (context) => {
  if (!browser) return context.skip(MISSING)
  const visitor = await ConsoleVisitor.open(browser, origin, { width: 390, colours: 'dark' })
  const { page } = visitor
  const pick = async (item: string) => {
    await page.getByRole('button', { name: /auditor@/ }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await page.getByRole('button', { name: /^Auditor/ }).click()
  await visitor.heading('Statement')
  await page.getByRole('button', { name: 'Menu' }).click()
  await visitor.expectUsable('drawer')
  await pick('Colours: light')
  const scheme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme')
  expect(await scheme()).toBe('light')
  await page.reload()
  await visitor.heading('Statement')
  expect(await scheme()).toBe('light')
  await page.getByRole('button', { name: 'Menu' }).click()
  await pick('Sign out')
  await page.getByLabel('E-mail').waitFor()
  await visitor.leave()
})

test.for(LOOKS)(
  'a super admin rules companies and prices and looks at the installation ($width px, $colours)',
  { timeout: 240_000 },
  async (look, context) => {
    if (!browser) return context.skip(MISSING)
    const visitor = await ConsoleVisitor.open(browser, origin, look)
    await visitor.page.getByRole('button', { name: /^Super admin/ }).click()
    await visitor.heading('Companies')
    await rulesCompanies(visitor, installation.demo)
    await changesPrices(visitor, `0.0${look.width}${look.colours.length}`)
    await looksAtTheInstallation(visitor, installation.demo)
    await visitor.leave()
  },
)

test('a super admin chooses the company that the pages show, and the address keeps it', async (context) => {
  if (!browser) return context.skip(MISSING)
  const { companyId, companyName } = installation.demo
  const visitor = await ConsoleVisitor.open(browser, origin, { width: 1280, colours: 'dark' })
  const { page } = visitor
  await page.goto(`${origin}/keys`)
  await page.getByRole('button', { name: /^Super admin/ }).click()
  await visitor.heading('Welcome')
  await visitor.expectUsable('welcome')
  await page.getByRole('main').getByLabel('Company').selectOption({ label: companyName })
  await visitor.heading('Overview')
  await visitor.go('Keys')
  await page.getByText('Demo key').waitFor()
  expect(new URL(page.url()).searchParams.get('as')).toBe(companyId)
  expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0)
  await visitor.go('Companies')
  await page.getByRole('link', { name: companyName }).click()
  await visitor.heading('Overview')
  await visitor.leave()
})

test('the pages of super admins tell others that they are not for them', async (context) => {
  if (!browser) return context.skip(MISSING)
  const visitor = await ConsoleVisitor.open(browser, origin, { width: 390, colours: 'light' })
  await visitor.page.goto(`${origin}/companies`)
  await visitor.page.getByRole('button', { name: /^Auditor/ }).click()
  await visitor.heading('Not for your role')
  await visitor.expectUsable('not for the role')
  expect(await visitor.page.getByRole('link', { name: 'Companies' }).count()).toBe(0)
  await visitor.leave()
})

test('a wrong password is refused in plain words', async (context) => {
  if (!browser) return context.skip(MISSING)
  const visitor = await ConsoleVisitor.open(browser, origin, { width: 390, colours: 'light' })
  const { page } = visitor
  await page.getByLabel('E-mail').fill('nobody@demo.example')
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  await visitor.expectUsable('refused sign-in')
  // The browser itself reports a status of 401.
  expect(visitor.faults.splice(0).every((fault) => fault.includes('401'))).toBe(true)
  await visitor.leave()
})
