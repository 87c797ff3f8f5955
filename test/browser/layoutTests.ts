import { test } from 'vitest'
import type { ConsoleVisitor, OpenVisitor } from './consolePages.ts'

const WIDTHS = [390, 768, 1024, 1280]

const OF_A_COMPANY = ['/', '/keys', '/usage', '/calls', '/billing', '/statement', '/trail', '/people']
const OF_THE_INSTALLATION = ['/companies', '/payments', '/prices', '/models', '/setup', '/operations']

/** At every width between a phone and a desk, the buttons and amounts of every page are in sight. */
export function testLayout(open: OpenVisitor): void {
  test('on the pages of a company every button and amount is in sight', async (context) => {
    const visitor = await open({ width: 1280, colours: 'light' }, context)
    await visitor.page.getByRole('button', { name: /^Owner/ }).click()
    await visitor.heading('Overview')
    await expectAllInSight(visitor, OF_A_COMPANY)
    await visitor.page.goto(`${visitor.origin}/calls`)
    await visitor.page.locator('tbody a[href*="/calls/"]').first().click()
    await visitor.heading('Call')
    await expectAllInSight(visitor, [new URL(visitor.page.url()).pathname])
    await visitor.leave()
  })

  test('on the pages of the installation every button and amount is in sight', async (context) => {
    const visitor = await open({ width: 1280, colours: 'light' }, context)
    await visitor.page.getByRole('button', { name: /^Super admin/ }).click()
    await visitor.heading('Companies')
    await expectAllInSight(visitor, OF_THE_INSTALLATION)
    await visitor.leave()
  })
}

async function expectAllInSight(visitor: ConsoleVisitor, paths: readonly string[]): Promise<void> {
  const { page, origin } = visitor
  for (const path of paths) {
    await page.goto(`${origin}${path}`)
    await page.getByRole('main').locator('.card').first().waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 })
      // A table measures itself again after the next frame.
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
      await visitor.expectInSight(`${path} at ${width} pixels`)
    }
  }
}
