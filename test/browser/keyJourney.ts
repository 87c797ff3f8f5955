import { expect } from 'vitest'
import { type Answer, CHAT, call, chatBody } from '../support/harness/gatewayClient.ts'
import type { Demo } from '../support/harness/installation.ts'
import { until } from '../support/time/until.ts'
import type { ConsoleVisitor, Look } from './consolePages.ts'

/** Not the first of the catalogue, which an example could name by chance. */
const MODEL = 'svc/chat-cheap'

/** Mints a key, calls with it, sees the call, proves its charge, and revokes the key. */
export async function mintsCallsAndProves(visitor: ConsoleVisitor, look: Look, demo: Demo): Promise<void> {
  const { adminEmail, adminPassword, gatewayUrl } = demo
  const { page } = visitor
  await page.getByLabel('E-mail').waitFor()
  expect(await page.evaluate('document.activeElement.name')).toBe('email')
  await visitor.expectUsable('sign-in')
  await visitor.signIn(adminEmail, adminPassword)
  await page.getByRole('main').getByText('Balance', { exact: true }).waitFor()
  await visitor.expectUsable('overview')

  await callsModel(demo)
  await visitor.go('Keys')
  const name = `Journey ${look.width} ${look.colours}`
  await page.getByRole('button', { name: 'New key' }).first().click()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByText('Give the key a name').waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByLabel('Budget in credits').fill('5')
  await choosesModel(visitor)
  await visitor.expectUsable('new key')
  // The second click of an impatient person must not create a second key.
  await page.getByRole('button', { name: 'Create key' }).dblclick()
  await page.locator('[data-secret]').waitFor()
  await visitor.expectUsable('secret')
  await page.getByRole('tab', { name: 'Python' }).click()
  await page.getByText(`model="${MODEL}"`).waitFor()
  // The model was called by the chat API only.
  expect(await page.getByRole('tab').allTextContents()).toEqual(['curl', 'Python', 'JavaScript', 'MCP'])
  await page.keyboard.press('Escape')
  await page.getByText('You have not copied the key.').waitFor()
  await visitor.expectUsable('secret not copied')
  await page.getByRole('button', { name: 'Go back' }).click()
  const secret = await visitor.savedSecret()
  await page.getByRole('button', { name: `Actions for ${name}` }).waitFor()
  const focused = () => page.evaluate('document.activeElement.textContent')
  await until('the focus is back on the button', async () => (await focused()) === 'New key')
  await visitor.expectUsable('keys')

  const gateway = gatewayUrl.replace(/\/llm\/v1$/, '')
  const ask = () => call(gateway, CHAT, { key: secret, body: chatBody({ model: MODEL }) })
  const answer = await until('the gateway knows the key', async () => {
    const got = await ask()
    return got.status === 200 ? got : null
  })
  const id = String(answer.headers['x-request-id'])

  await visitor.go('Calls')
  const row = page.getByRole('row').filter({ hasText: name })
  await row.first().waitFor()
  await visitor.expectUsable('calls')
  await seesCallsLive(visitor, ask)
  const filter = page.getByLabel('Model', { exact: true })
  await filter.fill(MODEL.slice('svc/ch'.length))
  await filter.press('Enter')
  await page.waitForURL(({ searchParams }) => searchParams.get('alias') === MODEL)
  await page.locator(`a[href*="/calls/${id}"]`).click()
  await visitor.heading('Call')
  expect(page.url()).toContain(`/calls/${id}`)
  await page
    .getByText(`${Number(answer.headers['x-credits-charged'])}`, { exact: false })
    .first()
    .waitFor()
  const lines = page.getByRole('region', { name: 'How the charge was computed' })
  await lines.getByText('Output', { exact: true }).waitFor()
  await page.getByText('CallCharged', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Prove it' }).click()
  await page.getByText('Every check passed.').waitFor()
  expect(await focused()).toBe('Prove it')
  await visitor.expectUsable('call')

  const { searchParams } = new URL((await page.getByRole('link', { name }).getAttribute('href')) ?? '', page.url())
  const keyId = searchParams.get('key') ?? ''
  await page.getByRole('main').getByText(keyId, { exact: true }).waitFor()

  await visitor.go('Usage')
  await page.getByRole('button', { name: 'Download CSV' }).waitFor()
  await page.getByText(MODEL).first().waitFor()
  await visitor.expectUsable('usage')
  await page.getByText('Show as a table').click()
  await page
    .getByRole('region', { name: 'Credits per day' })
    .getByText(/20\d\d/)
    .first()
    .waitFor()
  await visitor.expectUsable('usage as a table')
  // Keys with the same name are told apart by their ids.
  await page.getByLabel('By', { exact: true }).selectOption('KEY')
  await page.getByRole('row').filter({ hasText: name }).getByText(keyId.slice(0, 8), { exact: true }).waitFor()

  await visitor.go('Keys')
  await rotatesAndRevokes(visitor, name, secret)
  await until('the key is refused', async () => (await ask()).status === 401)
}

/** Calls the model, and waits until the console can know of the call. */
async function callsModel({ gatewayUrl, apiKey, backendUrl, adminToken }: Demo): Promise<void> {
  const gateway = gatewayUrl.replace(/\/llm\/v1$/, '')
  expect((await call(gateway, CHAT, { key: apiKey, body: chatBody({ model: MODEL }) })).status).toBe(200)
  const query = `{ usage { nodes { group } } calls(alias: "${MODEL}") { nodes { alias } } }`
  await until('the call is in the usage and in the list of calls', async () => {
    const { usage, calls } = (await call(backendUrl, '/graphql', { key: adminToken, body: { query } })).json.data
    return calls.nodes.length > 0 && usage.nodes.some(({ group }: { group: string }) => group === MODEL)
  })
}

/** A model that was called before is chosen by part of its name; another one can be added, and is marked. */
async function choosesModel({ page }: ConsoleVisitor): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Only some' }).check()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Choose at least one model').waitFor()
  const field = dialog.getByLabel('Find or add a model')
  await field.fill('svc/mistyped')
  await dialog.getByRole('button', { name: 'Add “svc/mistyped”' }).click()
  const mistyped = dialog.getByRole('checkbox', { name: /^svc\/mistyped No call in/ })
  expect(await mistyped.isChecked()).toBe(true)
  await mistyped.click()
  await mistyped.waitFor({ state: 'detached' })
  const model = dialog.getByRole('checkbox', { name: MODEL, exact: true })
  await model.waitFor()
  await field.fill(MODEL.slice('svc/ch'.length))
  await field.press('Enter')
  expect(await model.isChecked()).toBe(true)
}

/** After a rotation two keys have the same name. The old one is found by its prefix and revoked. */
async function rotatesAndRevokes(visitor: ConsoleVisitor, name: string, secret: string): Promise<void> {
  const { page } = visitor
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Rotate' }).click()
  await page.getByRole('button', { name: 'Create the new key' }).click()
  await page.locator('[data-secret]').waitFor()
  const [before, after] = [secret, await visitor.savedSecret()].map((key) => key.slice(0, 'tg_12345'.length))
  await page.getByText(`replaces ${before}…`).waitFor()
  await visitor.expectUsable('rotated key')
  await page.getByRole('button', { name: `Actions for ${name} (${before}…)` }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(`${after}…`).waitFor()
  await visitor.expectUsable('revoke')
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** How long a call that the server sends may take to be shown. Otherwise the socket was not open yet, and another is made. */
const SHOWN_MS_MAX = 10_000
const ANY_SHOWN_MS_MAX = 90_000

/** Calls that are made while the page is open appear on it and change the balance, although nothing can be read again. */
async function seesCallsLive({ page }: ConsoleVisitor, ask: () => Promise<Answer>): Promise<void> {
  const balance = page.locator('.side .balance .number')
  const before = await balance.getAttribute('title')
  const held = Promise.withResolvers<void>()
  await page.route('**/graphql', async (route) => {
    if (/query (Calls|Balance)\(/.test(route.request().postData() ?? '')) await held.promise
    await route.continue()
  })
  await until(
    'a call appears',
    async () => {
      const { headers } = await ask()
      const shown = page.locator(`a[href*="/calls/${headers['x-request-id']}"]`).waitFor({ timeout: SHOWN_MS_MAX })
      return shown.then(
        () => true,
        () => false,
      )
    },
    ANY_SHOWN_MS_MAX,
  )
  await until('the balance changes', async () => (await balance.getAttribute('title')) !== before)
  held.resolve()
  await page.unrouteAll({ behavior: 'wait' })
}
