import { expect, test } from 'vitest'
import { call, chatBody } from '../support/harness/gatewayClient.ts'
import type { Installation } from '../support/harness/installation.ts'
import { until } from '../support/time/until.ts'
import type { ConsoleVisitor, OpenVisitor } from './consolePages.ts'

/** More than the days that most pages show. */
const DAYS = 45
const DAYS_MS = DAYS * 86_400_000
const LATER_MS = 5 * 60_000
const LOOK = { width: 390, colours: 'light' } as const

/** Tests of clocks that differ, and of figures that cannot be read: a page ends with figures or says why it has none. */
export function testClocks(open: OpenVisitor, installation: () => Installation): void {
  test('a browser whose clock is ahead of the server shows the days of the server', async (context) => {
    const visitor = await open(LOOK, context)
    await makeCall(installation())
    const { page } = visitor
    await page.clock.setFixedTime(Date.now() + DAYS_MS)
    await page.reload()
    await page.getByRole('button', { name: /^Owner/ }).click()
    await visitor.heading('Overview')
    await until('the call is counted', async () => Number(await figure(visitor, 'Calls').innerText()) > 0)
    await page.getByRole('img', { name: /^Credits spent on each of the last 30 days/ }).waitFor()
    await isLoaded(visitor)
    await page.goto(`${visitor.origin}/usage`)
    await page.getByRole('cell', { name: 'svc/chat-default' }).first().waitFor()
    await visitor.leave()
  })

  test('calls that are dated after the clock of the server are in no figure of days, and the page says so', async (context) => {
    const visitor = await open(LOOK, context)
    await makeCall(installation())
    const { page } = visitor
    await setServerBack(visitor)
    await page.reload()
    await page.getByRole('button', { name: /^Owner/ }).click()
    await visitor.heading('Overview')
    await page.getByText(/^The newest call is dated .*, but the server's clock says/).waitFor()
    await page.getByText('No calls in this period').waitFor()
    await until('no call is counted', async () => (await figure(visitor, 'Calls').innerText()) === '0')
    await visitor.expectUsable('calls after the clock')
    await visitor.leave()
  })

  test('a price that begins after the clock of the server is shown with both times', async (context) => {
    const visitor = await open(LOOK, context)
    const { page } = visitor
    await setServerBack(visitor)
    // As the server would answer with that clock: no book is in force.
    await page.route('**/graphql', async (route) => {
      if (!/query (Models|RoutedAliases) /.test(route.request().postData() ?? '')) return route.fallback()
      const answer = await route.fetch()
      const { data } = (await answer.json()) as { data: { models: object[] } }
      await route.fulfill({ json: { data: { models: data.models.map((model) => ({ ...model, price: null })) } } })
    })
    await page.route('**/graphql', async (route) => {
      if (!/query PricesInForce/.test(route.request().postData() ?? '')) return route.fallback()
      const error = { message: 'no price book is in force', extensions: { code: 'NOT_FOUND' } }
      await route.fulfill({ json: { data: null, errors: [error] } })
    })
    await page.reload()
    await page.getByRole('button', { name: /^Super admin/ }).click()
    await visitor.heading('Companies')
    await page.goto(`${visitor.origin}/models`)
    await page
      .getByText(/The published one begins .*; the server's clock says/)
      .first()
      .waitFor()
    await visitor.expectUsable('models before their prices')
    await page.goto(`${visitor.origin}/prices`)
    await page.getByText(/The price of svc\/.* begins .*; the server's clock says .*\. If the clock is wrong/).waitFor()
    await visitor.expectUsable('prices that begin later')
    await visitor.leave()
  })

  test('a relative time stays true while its page is open, and its title has the whole time', async (context) => {
    const visitor = await open(LOOK, context)
    const { page } = visitor
    await page.clock.install()
    await page.reload()
    await page.getByRole('button', { name: /^Owner/ }).click()
    await visitor.heading('Overview')
    await page.goto(`${visitor.origin}/people`)
    const signedIn = page.getByRole('row').filter({ hasText: 'this one' }).locator('time').first()
    await signedIn.waitFor()
    expect(await signedIn.getAttribute('title')).toMatch(/20\d\d.* \(20\d\d-.* UTC\)$/)
    // Otherwise the page would learn from the server that no time has passed.
    await moveServer(visitor, LATER_MS)
    await page.clock.fastForward(LATER_MS)
    await until('the time is an earlier one', async () => /^\d+ minutes ago$/.test(await signedIn.innerText()))
    await page.unrouteAll({ behavior: 'wait' })
    await visitor.leave()
  })

  test('figures that are refused end in an error with a way to try again, and not in a page that loads', async (context) => {
    const visitor = await open(LOOK, context)
    const { page } = visitor
    let refuses = true
    await page.route('**/graphql', async (route) => {
      const isFigures = /query (Spend|CompanyFigures)\(/.test(route.request().postData() ?? '')
      if (!refuses || !isFigures) return route.continue()
      const extensions = { code: 'BAD_USER_INPUT' }
      await route.fulfill({ json: { errors: [{ message: 'the range cannot be read', extensions }], data: null } })
    })
    await page.getByRole('button', { name: /^Owner/ }).click()
    await visitor.heading('Overview')
    await expectRefusedAndRetried(visitor, 'overview', () => {
      refuses = false
    })
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: /admin@/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    refuses = true
    await page.getByRole('button', { name: /^Super admin/ }).click()
    await visitor.heading('Companies')
    await page.getByText('Unavailable').first().waitFor()
    await expectRefusedAndRetried(visitor, 'companies', () => {
      refuses = false
    })
    await until('all figures are shown', async () => (await page.getByText('Unavailable').count()) === 0)
    await visitor.leave()
  })
}

/** Makes `/session` answer with a server time that is days behind. */
function setServerBack(visitor: ConsoleVisitor): Promise<void> {
  return moveServer(visitor, -DAYS_MS)
}

async function moveServer({ page }: ConsoleVisitor, byMs: number): Promise<void> {
  await page.route('**/session', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { now: string }
    const now = new Date(Date.parse(body.now) + byMs).toISOString()
    await route.fulfill({ response: answer, json: { ...body, now } })
  })
}

const figure = ({ page }: ConsoleVisitor, name: string) =>
  page
    .locator('.figure')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .first()

async function isLoaded({ page }: ConsoleVisitor): Promise<void> {
  const loading = page.getByRole('status', { name: 'Loading' })
  await until('nothing is loading', async () => (await loading.count()) === 0)
}

async function makeCall({ demo: { gatewayUrl, apiKey: key } }: Installation): Promise<void> {
  const gateway = gatewayUrl.replace(/\/llm\/v1$/, '')
  expect((await call(gateway, '/llm/v1/chat/completions', { key, body: chatBody() })).status).toBe(200)
}

async function expectRefusedAndRetried(visitor: ConsoleVisitor, what: string, allow: () => void): Promise<void> {
  const { page } = visitor
  const alert = page.getByRole('alert').filter({ hasText: 'The range cannot be read.' })
  await alert.waitFor()
  await isLoaded(visitor)
  await visitor.expectUsable(`${what} that is refused`)
  allow()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await alert.waitFor({ state: 'detached' })
}
