import { call } from '../support/harness/gatewayClient.ts'
import type { Demo } from '../support/harness/installation.ts'
import { until } from '../support/time/until.ts'
import type { ConsoleVisitor } from './consolePages.ts'

const FIRST_PASSWORD = 'a password to begin with'
const SECOND_PASSWORD = 'another one, after that'

/** Joins a company by the link of an invitation, forgets the password, and gets in by the link of a reset. */
export async function joinsAndForgets(visitor: ConsoleVisitor, demo: Demo, email: string): Promise<void> {
  const { page } = visitor
  const invite = `mutation { inviteUser(email: "${email}", role: DEVELOPER) { id } }`
  await call(demo.backendUrl, '/graphql', { key: demo.adminToken, body: { query: invite } })

  await page.goto(await linkTo(demo, email, 'invitation'))
  await visitor.heading('Accept the invitation')
  await page.getByLabel('Password').fill('short')
  await page.getByRole('button', { name: 'Accept and sign in' }).click()
  await page.getByRole('alert').waitFor()
  await visitor.expectUsable('invitation')
  await page.getByLabel('Password').fill(FIRST_PASSWORD)
  await page.getByRole('button', { name: 'Accept and sign in' }).click()
  await visitor.heading('Overview')

  await page.getByRole('button', { name: new RegExp(email.slice(0, 8)) }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await visitor.heading('Forgot your password?')
  await page.getByLabel('E-mail').fill(email)
  await visitor.expectUsable('forgotten password')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('status').waitFor()

  await page.goto(await linkTo(demo, email, 'reset-password'))
  await visitor.heading('Choose a new password')
  await visitor.expectUsable('new password')
  await page.getByLabel('Password').fill(SECOND_PASSWORD)
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await visitor.heading('Overview')
  await page.goto(`${demo.backendUrl}/billing`)
  await visitor.heading('Not for your role')
  await page.getByText('Developer of Demo Hiring Ltd').waitFor()
  await page.goto(`${demo.backendUrl}/console/invitation`)
  await page.getByText('This link is incomplete').waitFor()
}

/** The link of the kind in a mail to the address. */
function linkTo({ mailboxUrl }: Demo, email: string, kind: string): Promise<string> {
  return until(`${email} has the mail`, async () => {
    const answer = await fetch(mailboxUrl, { headers: { accept: 'application/json' } })
    const mails = (await answer.json()) as readonly object[]
    const links = mails
      .map((mail) => JSON.stringify(mail))
      .filter((text) => text.includes(email))
      .flatMap((text) => text.match(/https?:[^\s"\\]+#token=[\w-]+/g) ?? [])
    return links.find((link) => link.includes(`/console/${kind}#`)) ?? null
  })
}
