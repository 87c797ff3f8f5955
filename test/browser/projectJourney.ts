import { expect } from 'vitest'
import { CHAT, call, chatBody } from '../support/harness/gatewayClient.ts'
import type { Demo } from '../support/harness/installation.ts'
import { until } from '../support/time/until.ts'
import type { ConsoleVisitor } from './consolePages.ts'

/** One call spends it, whatever it costs. */
const LEAST_CREDITS = '0.000001'

/** Creates a project with a budget, uses it up with a key of the project, and raises it. */
export async function usesUpProject(visitor: ConsoleVisitor, demo: Demo, name: string): Promise<void> {
  const { page } = visitor
  await createsProject(visitor, demo, name)
  await archivesAndRestores(visitor, name)
  await setsBudget(visitor, name, 'Set a budget', LEAST_CREDITS)
  const secret = await mintsKeyIn(visitor, name)

  const gateway = demo.gatewayUrl.replace(/\/llm\/v1$/, '')
  const ask = () => call(gateway, CHAT, { key: secret, body: chatBody() })
  const charged = await until('the gateway knows the key', async () => {
    const answer = await ask()
    return answer.status === 401 ? null : answer
  })
  expect(charged.status).toBe(200)
  expect(Number(charged.headers['x-credits-charged'])).toBeGreaterThan(Number(LEAST_CREDITS))
  const refused = await until('the next call is refused', async () => {
    const answer = await ask()
    return answer.status === 200 ? null : answer
  })
  expect({ status: refused.status, by: refused.headers['x-budget-refused'] }).toEqual({ status: 402, by: 'project' })

  await visitor.go('Projects')
  const row = rowOf(visitor, name)
  await row.getByText('Budget used up').waitFor()
  expect(await row.getByRole('meter').getAttribute('aria-valuenow')).toBe('100')
  await visitor.expectUsable('a project with its budget used up')

  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).getByText('Revoke its keys or take them out first.').waitFor()
  await page.keyboard.press('Escape')
  await setsBudget(visitor, name, 'Change the budget', '100')
  await row.getByText('Budget used up').waitFor({ state: 'detached' })
  await until('a call is admitted again', async () => (await ask()).status === 200)
}

/** Sets a budget of a label, the limits of the company and the rules for keys, and takes them back. */
export async function limitsCompany(visitor: ConsoleVisitor, label: string): Promise<void> {
  const { page } = visitor
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Budget of a label' }).click()
  await dialog.getByRole('button', { name: 'Set the budget' }).click()
  await dialog.getByText('Enter a label that keys have fixed.').waitFor()
  await dialog.getByText('Enter the most that may be spent.').waitFor()
  await visitor.expectUsable('budget of a label')
  await dialog.getByLabel('Usage label').fill(label)
  await dialog.getByLabel('Budget in credits').fill('3')
  await dialog.getByRole('button', { name: 'Set the budget' }).click()
  await page.getByRole('button', { name: `Actions for the budget of the label “${label}”` }).click()
  await page.getByRole('menuitem', { name: 'Remove the budget' }).click()
  await visitor.expectUsable('removing a budget')
  await dialog.getByRole('button', { name: 'Remove the budget' }).click()
  await page.getByText(label, { exact: true }).waitFor({ state: 'detached' })

  await setsCompanyLimit(visitor, '900')
  await page.getByText('900 req/min', { exact: true }).waitFor()
  await setsCompanyLimit(visitor, '')
  await page.getByText('No limit.', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Change the rules for keys of developers' }).click()
  await dialog.getByLabel('Default budget in credits').fill('20')
  await dialog.getByLabel('Maximum budget in credits').fill('10')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('The default has to be within the maximum').waitFor()
  await visitor.expectUsable('rules for keys of developers')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
}

/** A developer sees their projects without controls, and mints a key in one of them within the rules of the company. */
export async function seesOwnProject(visitor: ConsoleVisitor, demo: Demo, email: string): Promise<void> {
  const { page } = visitor
  const dialog = page.getByRole('dialog')
  const ask = async (query: string) =>
    (await call(demo.backendUrl, '/graphql', { key: demo.adminToken, body: { query } })).json.data
  const { users } = await ask('{ users { id email } }')
  const { id } = users.find((user: { email: string }) => user.email === email)
  await ask(`mutation { createProject(input: { name: "Newcomers", members: ["${id}"] }) { id } }`)
  await ask('mutation { createProject(input: { name: "Others" }) { id } }')
  await ask('mutation { setKeyRules(input: { maximumBudget: { credits: 10, period: MONTH } }) { projectRequired } }')

  await page.goto(`${visitor.origin}/projects`)
  await rowOf(visitor, 'Newcomers').waitFor()
  expect(await page.getByText('Others', { exact: true }).count()).toBe(0)
  expect(await page.getByText('Budgets of the company and of labels').count()).toBe(0)
  expect(await page.getByRole('button', { name: /^(New project|Actions for|Change)/ }).count()).toBe(0)
  await visitor.expectUsable('projects of a developer')

  await visitor.go('Keys')
  await page.getByRole('button', { name: 'New key' }).first().click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Key of a newcomer')
  const project = dialog.getByLabel('Project', { exact: true })
  expect(await project.getByRole('option').allTextContents()).toEqual(['None', 'Newcomers'])
  await project.selectOption({ label: 'Newcomers' })
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Keys of developers need a budget of at most 10.00 credits per UTC month.').waitFor()
  await dialog.getByLabel('Budget in credits').fill('10')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await visitor.savedSecret()
  await page.getByText('in Newcomers', { exact: true }).waitFor()
  await visitor.expectUsable('keys of a developer')
  await ask('mutation { setKeyRules(input: {}) { projectRequired } }')
}

async function createsProject(visitor: ConsoleVisitor, { adminEmail }: Demo, name: string): Promise<void> {
  const { page } = visitor
  const dialog = page.getByRole('dialog')
  await visitor.go('Projects')
  await page.getByRole('button', { name: 'New project' }).first().click()
  await dialog.getByRole('button', { name: 'Create project' }).click()
  await dialog.getByText('Give the project a name.').waitFor()
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('checkbox', { name: adminEmail }).check()
  await dialog.getByLabel('Requests per minute').fill('none')
  await dialog.getByText('Enter a whole number of 1 or more.').waitFor()
  await visitor.expectUsable('new project')
  await dialog.getByLabel('Requests per minute').fill('600')
  await dialog.getByRole('button', { name: 'Create project' }).click()
  await rowOf(visitor, name).getByText('600 req/min').waitFor()
  await visitor.expectUsable('projects')
}

async function archivesAndRestores(visitor: ConsoleVisitor, name: string): Promise<void> {
  const { page } = visitor
  const confirm = async (item: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('dialog').getByRole('button', { name: item }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  await confirm('Archive')
  await page.getByRole('button', { name: `Actions for ${name}` }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await rowOf(visitor, name).getByText('Archived', { exact: true }).waitFor()
  await confirm('Restore')
  await rowOf(visitor, name).getByText('Archived', { exact: true }).waitFor({ state: 'detached' })
}

async function setsBudget(visitor: ConsoleVisitor, name: string, item: string, credits: string): Promise<void> {
  const { page } = visitor
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
  await dialog.getByLabel('Budget in credits').fill(credits)
  await visitor.expectUsable('budget of a project')
  await dialog.getByRole('button', { name: 'Set the budget' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** Mints a key in the project, with the advanced fields, and returns its secret. */
async function mintsKeyIn(visitor: ConsoleVisitor, name: string): Promise<string> {
  const { page } = visitor
  const dialog = page.getByRole('dialog')
  await visitor.go('Keys')
  await page.getByRole('button', { name: 'New key' }).first().click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill(`Key of ${name}`)
  await dialog.getByLabel('Project', { exact: true }).selectOption({ label: name })
  await dialog.getByText('Advanced', { exact: true }).click()
  await dialog.getByRole('checkbox', { name: 'Fixed label' }).check()
  await dialog.getByLabel('Calls at the same time').fill('5')
  await dialog.getByLabel('Allowed networks').fill('localhost')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('“localhost” is not a network').waitFor()
  await dialog.getByText('Enter the label that all calls get.').waitFor()
  await visitor.expectUsable('new key of a project')
  await dialog.getByLabel('Allowed networks').fill('127.0.0.0/8, ::1/128')
  await dialog.getByLabel('Usage label', { exact: true }).fill('journey')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const secret = await visitor.savedSecret()
  const row = page.getByRole('row').filter({ hasText: `Key of ${name}` })
  await row.getByText(`in ${name}`, { exact: true }).waitFor()
  await row.getByText('5 in flight · only from 2 networks').waitFor()
  await visitor.expectUsable('keys of a project')
  return secret
}

async function setsCompanyLimit({ page }: ConsoleVisitor, rpm: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Change the limits of the company' }).click()
  await dialog.getByLabel('Requests per minute').fill(rpm)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

function rowOf({ page }: ConsoleVisitor, name: string) {
  return page.getByRole('region', { name: 'Projects' }).getByRole('row').filter({ hasText: name })
}
