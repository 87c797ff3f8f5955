import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PUBLIC_URL, startWorkersHarness, type WorkersHarness } from '../support/harness/workersHarness.ts'
import { until } from '../support/time/until.ts'

let harness: WorkersHarness
beforeAll(async () => {
  harness = await startWorkersHarness()
})
afterAll(() => harness.close())

/** The headers of an attacker who wants the mail to link to another host. */
function askWithHost(host: string, query: string): Promise<string> {
  const { hostname, port } = new URL(harness.backendUrl)
  const headers = { 'content-type': 'application/json', host, 'x-forwarded-host': host, forwarded: `host=${host}` }
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path: '/graphql', method: 'POST', headers }, (response) =>
      text(response).then(resolve, reject),
    )
    request.on('error', reject).end(JSON.stringify({ query }))
  })
}

const WHO_AM_I = '{ whoAmI { email role } }'
/** The user of a token, once the read models show them. */
const whoIs = (token: string) =>
  until('the user is shown', async () => (await harness.ask(WHO_AM_I, {}, token)).data?.whoAmI)
const mailsTo = async (address: string) => (await harness.mails()).filter(({ to }) => to.includes(address))
const tokenIn = (mail: string) => /#token=(\S+)/.exec(mail)?.[1] ?? ''
const answered = async (query: string, token: string | null = null) => {
  const { data, errors } = await harness.ask(query, {}, token)
  expect(errors).toBeUndefined()
  return Object.values(data)[0] as { token: string }
}

test('an invited person joins, forgets the password and resets it by mail', async () => {
  const { ask, admin } = harness
  await answered('mutation { inviteUser(email: "eve@people.example", role: AUDITOR) { id } }', admin.token)
  const invitation = await until('the invitation arrives', async () => (await mailsTo('eve@people.example'))[0])
  expect(invitation.text).toContain(`${PUBLIC_URL}/console/invitation#token=`)
  const accept = `mutation { acceptInvitation(token: "${tokenIn(invitation.text)}", password: "my first password") { token } }`
  const { token } = await answered(accept)
  expect(await whoIs(token)).toEqual({ email: 'eve@people.example', role: 'AUDITOR' })
  expect((await ask(accept)).code).toBe('BAD_USER_INPUT')

  const reset = 'mutation { requestPasswordReset(email: "eve@people.example") }'
  expect(JSON.parse(await askWithHost('evil.example', reset))).toEqual({ data: { requestPasswordReset: true } })
  const second = await until('the link arrives', async () =>
    (await mailsTo('eve@people.example')).find(({ text }) => text.includes('/console/reset-password#token=')),
  )
  expect(second.text).toContain(`${PUBLIC_URL}/console/reset-password#token=`)
  expect(`${second.text}${second.html}`).not.toContain('evil.example')
  const set = `mutation { resetPassword(token: "${tokenIn(second.text)}", password: "my second password") { token } }`
  const again = await answered(set)
  expect(await whoIs(again.token)).toMatchObject({ email: 'eve@people.example' })
  expect((await ask(WHO_AM_I, {}, token)).code).toBe('UNAUTHENTICATED')
  expect((await ask(set)).code).toBe('BAD_USER_INPUT')
  await answered('mutation { login(email: "eve@people.example", password: "my second password") { token } }')
})
