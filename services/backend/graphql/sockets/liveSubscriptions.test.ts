import { type Client, createClient } from 'graphql-ws'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { streamName } from '../../../../contracts/streams.ts'
import { type BackendHarness, bearer, startBackendHarness } from '../../../../test/support/harness/backendHarness.ts'
import { call, callIdOf, chatBody } from '../../../../test/support/harness/gatewayClient.ts'
import { steppedClock } from '../../../../test/support/time/steppedClock.ts'
import { until } from '../../../../test/support/time/until.ts'
import { startBackend } from '../../backend.ts'

/** Half past, so that tokens are still valid in the next hour. */
const clock = steppedClock(Date.UTC(2026, 5, 1, 12, 30))
let backend: BackendHarness
beforeAll(async () => {
  backend = await startBackendHarness({ clock })
})
const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose()
})
afterAll(() => backend.close())

const BALANCE = 'subscription { balanceChanged { credits amountMicros updatedAt } }'
const CALLS = 'subscription { callFinished { id state keyId amountMicros finishedAt } }'

type Proof = { readonly token?: string; readonly cookie?: string; readonly url?: string }

/** The values a subscription has sent, and the errors it ended with. */
function watch(query: string, { token, cookie, url = backend.url }: Proof) {
  class SignedIn extends WebSocket {
    constructor(address: string, protocols: string) {
      super(address, protocols, cookie ? { headers: { cookie, origin: url } } : {})
    }
  }
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: SignedIn,
    connectionParams: token ? bearer(token) : {},
    retryAttempts: 0,
  })
  clients.push(client)
  // biome-ignore lint/suspicious/noExplicitAny: the fields are asserted, not used.
  const values: any[] = []
  const { promise: ended, resolve } = Promise.withResolvers<unknown>()
  client.subscribe(
    { query },
    {
      next: ({ data, errors }) => (errors ? resolve(errors) : values.push(Object.values(data ?? {})[0])),
      error: resolve,
      complete: () => resolve('complete'),
    },
  )
  return { values, ended, first: () => until('a value', () => values[0]) }
}

/** Calls until the subscription has sent a call: it may begin after the first ones. */
async function callUntilSent(values: readonly { readonly id: string }[], key = backend.key.raw): Promise<void> {
  await until('a call is sent', async () => {
    await call(backend.gatewayUrl, '/llm/v1/chat/completions', { key, body: chatBody() })
    return values.length > 0
  })
}

test('the balance is sent at once and after a call, as the ledger has it', async () => {
  const { values, first } = watch(BALANCE, { token: backend.admin.token })
  const { amountMicros: before } = await first()
  const { headers } = await backend.chat(chatBody())
  const charged = BigInt(Math.round(Number(headers['x-credits-charged']) * 1e6))
  expect(charged).toBeGreaterThan(0n)
  const after = (BigInt(before) - charged).toString()
  await until('the change is sent', () => values.at(-1).amountMicros === after)
  await until('the read model has the same', async () => {
    const { data } = await backend.ask('{ creditBalance { credits amountMicros } }', {}, backend.admin.token)
    return data.creditBalance.amountMicros === after && data.creditBalance.credits === values.at(-1).credits
  })
})

test('a finished call is sent as the list of calls shows it', async () => {
  const { values } = watch(CALLS, { token: backend.admin.token })
  await callUntilSent(values)
  const last = callIdOf(await backend.chat(chatBody()))
  const sent = await until('the last one is sent', () => values.find(({ id }) => id === last))
  const query = `{ call(id: "${last}") { id state keyId amountMicros finishedAt } }`
  const shown = await until('it is listed', async () => (await backend.ask(query, {}, backend.admin.token)).data?.call)
  expect(sent).toEqual(shown)
  expect(sent).toMatchObject({ state: 'CHARGED', keyId: backend.key.keyId })
})

test('each backend sends events of all processes', async () => {
  const second = await startBackend(backend.runtime)
  const { values, first } = watch(BALANCE, { token: backend.admin.token, url: second.url ?? '' })
  const { amountMicros: before } = await first()
  await backend.grant(backend.companyId, '3')
  await until('the grant is sent', () => BigInt(values.at(-1).amountMicros) >= BigInt(before) + 3_000_000n)
  await second.drain(1_000)
})

test('the people of a company see nothing of another one', async () => {
  const otherId = await backend.registerCompany()
  const { token } = await backend.register('admin@other.example', otherId)
  const balance = watch(BALANCE, { token })
  const calls = watch(CALLS, { token })
  expect(await balance.first()).toMatchObject({ amountMicros: '0', updatedAt: null })
  const own = watch(CALLS, { token: backend.admin.token })
  await callUntilSent(own.values)
  await backend.grant(otherId, '2')
  await until('the grant is sent', () => balance.values.at(-1).amountMicros === '2000000')
  expect(balance.values).toHaveLength(2)
  expect(calls.values).toEqual([])
})

test('a developer is sent the calls of their own keys, and no balance', async () => {
  const companyId = await backend.registerCompany({ credits: '100' })
  const person = await backend.register('developer@third.example', companyId)
  await backend.assignRole(companyId, person.userId, 'DEVELOPER')
  const minting = 'mutation { mintApiKey(input: { name: "own" }) { secret apiKey { id } } }'
  const { secret, apiKey } = (await backend.ask(minting, {}, person.token)).data.mintApiKey
  const foreign = await backend.mintKey(companyId)
  const balance = watch(BALANCE, { token: person.token })
  expect(await balance.ended).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  const { values } = watch(CALLS, { token: person.token })
  const all = watch(CALLS, { token: backend.superAdmin.token })
  expect(await all.ended).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  await callUntilSent(values, secret)
  await call(backend.gatewayUrl, '/llm/v1/chat/completions', { key: foreign.raw, body: chatBody() })
  const sentBefore = values.length
  // Calls are sent in order: once a later one arrives, the one in between was left out.
  await until('a later call is sent', async () => {
    await call(backend.gatewayUrl, '/llm/v1/chat/completions', { key: secret, body: chatBody() })
    return values.length > sentBefore
  })
  expect(new Set(values.map(({ keyId }) => keyId))).toEqual(new Set([apiKey.id]))
})

test('a super admin reads a company with asCompany, and each hour of it is recorded', async () => {
  const companyId = await backend.registerCompany({ credits: '5' })
  const query = `subscription { balanceChanged(asCompany: "${companyId}") { amountMicros } }`
  const refused = watch(query, { token: backend.admin.token })
  expect(await refused.ended).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  const { values, first } = watch(query, { token: await backend.tokenOf(backend.superAdmin) })
  expect(await first()).toEqual({ amountMicros: '5000000' })
  clock.advance(40 * 60_000)
  await backend.grant(companyId, '1')
  await until('the change is sent', () => values.at(-1).amountMicros === '6000000')
  const hours: string[] = []
  for await (const { type, data } of backend.runtime.engines.store.readStream(streamName('company', companyId))) {
    if (type === 'CompanyAccessed') hours.push(data.accessedAt.slice(11, 13))
  }
  expect(hours).toEqual(['12', '13'])
})

test.each([BALANCE, CALLS])('%s ends soon after the session of its reader was ended', async (query) => {
  const session = await backend.signIn(backend.admin)
  const { values, ended } = watch(query, { cookie: session.cookie ?? '' })
  await callUntilSent(values)
  await fetch(`${backend.url}/session`, { method: 'DELETE', headers: session })
  clock.advance(10_000)
  await backend.chat(chatBody())
  expect(await ended).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
})

test('it ends when the role of its reader changes to one that may not read it', async () => {
  const companyId = await backend.registerCompany({ credits: '5' })
  const person = await backend.register('billing@fifth.example', companyId)
  await backend.assignRole(companyId, person.userId, 'BILLING')
  const { first, values, ended } = watch(BALANCE, { token: await backend.tokenOf(person) })
  await first()
  await backend.assignRole(companyId, person.userId, 'DEVELOPER')
  clock.advance(10_000)
  await backend.grant(companyId, '1')
  expect(await ended).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  expect(values).toHaveLength(1)
})

test.each([BALANCE, CALLS])('%s over HTTP is BAD_USER_INPUT', async (query) => {
  expect((await backend.ask(query, {}, await backend.tokenOf(backend.admin))).code).toBe('BAD_USER_INPUT')
})
