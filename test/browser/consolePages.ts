import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, type TestContext } from 'vitest'
import { PAGE_MS_MAX } from './visit.ts'

export type Look = { readonly width: number; readonly colours: Colours }
type Colours = 'light' | 'dark'

/** Each width once: the contrast of what a journey looks at is checked in both colours. */
export const LOOKS: readonly Look[] = [
  { width: 1280, colours: 'light' },
  { width: 390, colours: 'dark' },
]

/** Below this width the navigation is in a drawer. */
const DRAWER_WIDTH_MAX = 860

/** The buttons, fields and amounts beyond a side of their card, or of a part of the page that has to be scrolled sideways. */
const OUT_OF_SIGHT = `[...document.querySelectorAll('button, a.button, .input, .number')].flatMap((shown) => {
  const { left, right, width } = shown.getBoundingClientRect()
  if (width === 0 || shown.closest('.hidden-label, .skip, thead')) return []
  for (let frame = shown.parentElement; frame !== document.body; frame = frame.parentElement) {
    if (!frame.matches('.card') && getComputedStyle(frame).overflowX === 'visible') continue
    const sides = frame.getBoundingClientRect()
    if (left < sides.left - 1 || right > sides.right + 1) {
      return [(shown.getAttribute('aria-label') ?? shown.textContent) + ' in ' + frame.className]
    }
  }
  return []
})`

/** Opens the console, or skips the test on a machine without a browser. */
export type OpenVisitor = (look: Look, context: TestContext) => Promise<ConsoleVisitor>

/** A visitor of the console, in a browser context of its own, and everything that went wrong meanwhile. */
export class ConsoleVisitor {
  readonly page: Page
  readonly origin: string
  readonly faults: string[] = []
  readonly #context: BrowserContext
  readonly #look: Look

  private constructor(context: BrowserContext, page: Page, look: Look, origin: string) {
    this.#context = context
    this.page = page
    this.origin = origin
    this.#look = look
    page.on('pageerror', (error) => this.faults.push(error.message))
    // A violation of the document's policy is an error of the console, too.
    page.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(message.text())
    })
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(`${origin}/`) && !url.startsWith('blob:')) this.faults.push(`foreign request: ${url}`)
    })
  }

  static async open(browser: Browser, origin: string, look: Look): Promise<ConsoleVisitor> {
    const { width, colours: colorScheme } = look
    const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme })
    context.setDefaultTimeout(PAGE_MS_MAX)
    await context.grantPermissions(['clipboard-write'], { origin })
    const visitor = new ConsoleVisitor(context, await context.newPage(), look, origin)
    await visitor.page.goto(`${origin}/`)
    return visitor
  }

  async signIn(email: string, password: string): Promise<void> {
    const { page } = this
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await this.heading('Overview')
  }

  async go(name: string): Promise<void> {
    const { page } = this
    if (this.#look.width < DRAWER_WIDTH_MAX) await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name, exact: true }).click()
    await this.heading(name)
  }

  heading(name: string): Promise<void> {
    return this.page.getByRole('heading', { name, level: 1 }).waitFor()
  }

  /** Reads the secret that is shown once, copies it and closes its dialog. */
  async savedSecret(): Promise<string> {
    const { page } = this
    const secret = await page.locator('[data-secret]').innerText()
    await page.locator('.secret').getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    return secret
  }

  /** No button and no amount is cut off sideways. */
  async expectInSight(what: string): Promise<void> {
    const { page } = this
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect({ what, overflow }).toEqual({ what, overflow: 0 })
    expect({ what, hidden: await page.evaluate(OUT_OF_SIGHT) }).toEqual({ what, hidden: [] })
  }

  /** Nothing is cut off sideways, and everybody can use the page, in light and in dark colours. */
  async expectUsable(what: string): Promise<void> {
    const { page } = this
    const { colours } = this.#look
    const others = colours === 'light' ? 'dark' : 'light'
    await this.expectInSight(what)
    await expectNoViolation(`${what} in ${colours} colours`, rulesFor(page))
    // Nothing but the colours differs.
    await page.emulateMedia({ colorScheme: others })
    await expectNoViolation(`${what} in ${others} colours`, rulesFor(page).withRules('color-contrast'))
    await page.emulateMedia({ colorScheme: colours })
  }

  async leave(): Promise<void> {
    await this.#context.close()
    expect(this.faults).toEqual([])
  }
}

/**
 * For pages without frames. Otherwise each analysis opens a page of its own to put those of frames together, which takes
 * longer than all rules.
 */
function rulesFor(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
}

async function expectNoViolation(what: string, rules: AxeBuilder): Promise<void> {
  const { violations } = await rules.analyze()
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${what}: ${id}: ${html.slice(0, 200)}`))
  expect(found).toEqual([])
}
