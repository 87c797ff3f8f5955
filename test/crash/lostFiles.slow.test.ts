import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Installation, startInstallation } from '../support/harness/installation.ts'
import { balanceOf, chatOnce } from './demoCalls.ts'

test('a damaged demo.json or secrets.json stops the start with one line; deleting it keeps company and balance', async () => {
  const installation = await startInstallation({ DEMO_CREDITS: '500' })
  onTestFinished(() => installation.stop())
  const first = installation.demo
  await chatOnce(installation)
  const balance = await balanceOf(installation)
  expect(await installation.interrupt()).toMatchObject({ code: 0 })

  for (const name of ['demo.json', 'secrets.json']) {
    await writeFile(join(installation.dataDir, name), '{\n  "companyId": "d9')
    const npm = installation.begin()
    await Promise.race([npm.exited, npm.line(/^See the charge:/)])
    expect(npm.lines).toEqual([
      expect.stringMatching(new RegExp(`${name} is damaged \\(it is not valid JSON\\): .*delete`)),
    ])
    expect(npm.exit).toEqual({ code: 1, signal: null })
    expect(await installation.processesLeft()).toEqual([])
    await rm(join(installation.dataDir, name))
    await installation.startAgain()
    expect(installation.demo.companyId).toBe(first.companyId)
    expect(await balanceOf(installation)).toBe(balance)
    for (const who of ['admin', 'superAdmin'] as const) {
      expect(await logIn(installation, installation.demo[`${who}Password`], who)).toBe(true)
      expect(await logIn(installation, first[`${who}Password`], who)).toBe(false)
      expect(await isSignedIn(installation, installation.demo[`${who}Token`])).toBe(true)
    }
    expect(await companiesOf(installation)).toEqual([first.companyId])
    expect(await installation.interrupt()).toMatchObject({ code: 0 })
  }
})

async function logIn({ demo }: Installation, password: string, who: 'admin' | 'superAdmin'): Promise<boolean> {
  const query = `mutation($email: String!, $password: String!) { login(email: $email, password: $password) { __typename } }`
  const answer = await ask(demo.backendUrl, { query, variables: { email: demo[`${who}Email`], password } })
  return !answer.errors
}

async function isSignedIn({ demo }: Installation, token: string): Promise<boolean> {
  return !(await ask(demo.backendUrl, { query: '{ whoAmI { id } }' }, token)).errors
}

async function companiesOf({ demo }: Installation): Promise<string[]> {
  const { data } = await ask(demo.backendUrl, { query: '{ companies { id } }' }, demo.superAdminToken)
  return data?.companies?.map(({ id }) => id) ?? []
}

type GraphqlAnswer = { errors?: unknown; data?: { companies?: { id: string }[] } }

async function ask(url: string, body: object, token?: string): Promise<GraphqlAnswer> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as GraphqlAnswer
}
