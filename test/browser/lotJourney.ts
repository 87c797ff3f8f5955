import type { Demo } from '../support/harness/installation.ts'
import type { ConsoleVisitor } from './consolePages.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** A super admin grants promotional credits that expire, and views as the company what is left of them. */
export async function grantsLot(visitor: ConsoleVisitor, { companyName }: Demo, credits: string): Promise<void> {
  const { page } = visitor
  const dialog = page.getByRole('dialog')
  await visitor.go('Companies')
  const act = async (action: string) => {
    await page.getByRole('button', { name: `Actions for ${companyName}` }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await act('Grant credits')
  await dialog.getByRole('button', { name: 'Grant' }).click()
  await page.getByText('Enter a number of credits above 0').waitFor()
  await dialog.getByLabel('Credits', { exact: true }).fill(credits)
  await dialog.getByLabel('Reason').fill('Welcome')
  await dialog.getByLabel('Expires').fill(new Date(Date.now() + 3.5 * DAY_MS).toISOString().slice(0, 16))
  await dialog.getByLabel('Promotional').check()
  await visitor.expectUsable('grant')
  await dialog.getByRole('button', { name: 'Grant' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await act('View as this company')
  await visitor.go('Billing')
  const lot = page
    .getByRole('region', { name: 'Lots of credits' })
    .getByRole('row')
    .filter({ hasText: `of ${credits}` })
  await lot.getByText('Promotion').waitFor()
  await lot.getByText('in 3 days').waitFor()
  await page.getByText(/credits expire in 3 days/).waitFor()
  await visitor.expectUsable('lots of credits')
}

/** A super admin creates a pack and a plan whose credits expire, and retires them. */
export async function sellsCreditsThatExpire(visitor: ConsoleVisitor, name: string): Promise<void> {
  const { page } = visitor
  const dialog = page.getByRole('dialog')
  await visitor.go('Prices')
  const offer = async (kind: 'pack' | 'plan', field: string, value: string, words: string) => {
    const title = `${name} ${kind}`
    await page.getByRole('button', { name: `New ${kind}` }).click()
    await dialog.getByRole('button', { name: `Create the ${kind}` }).click()
    await dialog.getByText('Give it a name').waitFor()
    await dialog.getByLabel('Name').fill(title)
    await dialog.getByLabel('Price').fill('9.50')
    await dialog.getByLabel(/^Credits/).fill('100')
    await dialog.getByLabel(field).fill(value)
    await visitor.expectUsable(`new ${kind}`)
    await dialog.getByRole('button', { name: `Create the ${kind}` }).click()
    await dialog.waitFor({ state: 'hidden' })
    const row = page.getByRole('row').filter({ hasText: title })
    await row.getByText(words).waitFor()
    await row.getByText('no price yet').waitFor({ state: 'hidden' })
    return async () => {
      await page.getByRole('button', { name: `Retire ${title}` }).click()
      await dialog.getByRole('button', { name: 'Retire' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await row.waitFor({ state: 'hidden' })
    }
  }
  const retirePack = await offer('pack', 'Valid for days', '90', '90 days')
  const retirePlan = await offer('plan', 'Unused credits that roll over', '25', '25% roll over')
  await visitor.expectUsable('offers')
  await retirePack()
  await retirePlan()
}
