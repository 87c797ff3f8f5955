import { expect } from 'vitest'
import type { ConsoleVisitor } from './consolePages.ts'

/** In a suspended company, the buttons of what spends are disabled and say why; what costs nothing is still offered. */
export async function seesWhatIsRefused(visitor: ConsoleVisitor, reason: string): Promise<void> {
  const { page } = visitor
  const refused = { title: `The company is suspended: ${reason}`, disabled: 'true' }
  const stateOf = async (name: RegExp) => {
    const button = page.getByRole('button', { name }).first()
    return { title: await button.getAttribute('title'), disabled: await button.getAttribute('aria-disabled') }
  }
  await page.getByText(`This company is suspended: ${reason}`).waitFor()
  await visitor.go('Keys')
  await page
    .getByRole('button', { name: /^Actions for / })
    .first()
    .waitFor()
  expect(await stateOf(/^New key$/)).toEqual(refused)
  // Playwright waits until a button is enabled, and this one stays as it is.
  await page.getByRole('button', { name: 'New key' }).click({ force: true })
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page
    .getByRole('button', { name: /^Actions for / })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Rotate' }).getByText(refused.title).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Revoke' }).getAttribute('aria-disabled')).toBeNull()
  await visitor.expectUsable('keys of a suspended company')
  await page.keyboard.press('Escape')
  await visitor.go('Billing')
  await page.getByRole('button', { name: /^Buy / }).first().waitFor()
  expect(await stateOf(/^Buy /)).toEqual(refused)
  expect(await stateOf(/^(Subscribe to|Change to|Undo the cancellation)/)).toEqual(refused)
  expect(await stateOf(/^New endpoint$/)).toEqual({ title: null, disabled: null })
}
