import { expect, test } from 'vitest'
import { until } from '../support/time/until.ts'
import type { OpenVisitor } from './consolePages.ts'

/** Of the sign-in page and the overview together, compressed. */
const FIRST_LOAD_BYTES_MAX = 250_000

/** Tests of what all pages share: loading, signing in and out, addresses, colours. */
export function testShell(open: OpenVisitor): void {
  test('the first load is at most 250 KB, and other pages come when they are opened', async (context) => {
    const visitor = await open({ width: 1280, colours: 'light' }, context)
    const { page } = visitor
    await page.getByRole('button', { name: /^Owner/ }).click()
    await page.getByRole('heading', { name: 'Credits per day, by model' }).waitFor()
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
    const visitor = await open({ width: 1280, colours: 'light' }, context)
    const { page } = visitor
    await page.goto(`${visitor.origin}/usage?days=7`)
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
    await page.goto(`${visitor.origin}/keys`)
    await page.getByLabel('E-mail').waitFor()
    await visitor.leave()
  })

  test('on a phone, colours are switched and people sign out in the drawer', async (context) => {
    const visitor = await open({ width: 390, colours: 'dark' }, context)
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

  test('the pages of super admins tell others that they are not for them', async (context) => {
    const visitor = await open({ width: 390, colours: 'light' }, context)
    await visitor.page.goto(`${visitor.origin}/companies`)
    await visitor.page.getByRole('button', { name: /^Auditor/ }).click()
    await visitor.heading('Not for your role')
    await visitor.expectUsable('not for the role')
    expect(await visitor.page.getByRole('link', { name: 'Companies' }).count()).toBe(0)
    await visitor.leave()
  })

  test('a page tells that its figures are still catching up, and reads them again once they have', async (context) => {
    const visitor = await open({ width: 390, colours: 'light' }, context)
    const { page } = visitor
    let behind = ['calls']
    let reads = 0
    await page.route('**/health', async (route) => {
      const health = await (await route.fetch()).json()
      health.components.read_models = { status: 'degraded', behind, lag_events: 9_000, percent: 40.5, seconds_left: 70 }
      await route.fulfill({ json: health })
    })
    page.on('request', (request) => {
      if (request.postData()?.includes('query Spend')) reads++
    })
    await page.getByRole('button', { name: /^Owner/ }).click()
    await visitor.heading('Overview')
    const notice = page.getByText('40 % of the ledger is read, about a minute left.')
    await notice.waitFor()
    await visitor.expectUsable('catching up')
    const readsBefore = reads
    behind = []
    await notice.waitFor({ state: 'detached' })
    await until('they are read again', () => reads > readsBefore)
    await visitor.leave()
  })

  test('a page whose session was ended elsewhere says so, and is shown again after signing in', async (context) => {
    const visitor = await open({ width: 390, colours: 'light' }, context)
    const { page, origin } = visitor
    await page.getByRole('button', { name: /^Auditor/ }).click()
    await visitor.heading('Statement')
    const cookies = (await page.context().cookies(origin)).map(({ name, value }) => `${name}=${value}`)
    await fetch(`${origin}/session`, { method: 'DELETE', headers: { origin, cookie: cookies.join('; ') } })
    // The next request is refused: that of another page, or one that this page sends by itself before.
    await page.evaluate(`document.querySelector('a[href="/trail"]')?.click()`)
    await page.getByText('Your session has ended.').waitFor()
    await visitor.expectUsable('ended session')
    await page.getByRole('button', { name: /^Auditor/ }).click()
    await page.getByRole('heading', { name: /^(Statement(, .+)?|Trail)$/, level: 1 }).waitFor()
    // The browser itself reports a status of 401.
    expect(visitor.faults.splice(0).every((fault) => fault.includes('401'))).toBe(true)
    await visitor.leave()
  })

  test('a page that is opened while the server is away says so, and opens once it is back', async (context) => {
    const visitor = await open({ width: 390, colours: 'light' }, context)
    const { page } = visitor
    await page.getByRole('button', { name: /^Auditor/ }).click()
    await visitor.heading('Statement')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByText('The server did not answer.').first().waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await visitor.heading('People')
    // The browser reports requests without an answer, and the router the page that it could not load.
    expect(
      visitor.faults.splice(0).filter((fault) => !/ERR_INTERNET_DISCONNECTED|server did not answer/.test(fault)),
    ).toEqual([])
    await visitor.leave()
  })

  test('a wrong password is refused in plain words', async (context) => {
    const visitor = await open({ width: 390, colours: 'light' }, context)
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
}
