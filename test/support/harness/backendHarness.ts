import { randomUUID, scryptSync } from 'node:crypto'
import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import { BEGINNING } from '../../../contracts/position.ts'
import type { Role } from '../../../contracts/roles.ts'
import { streamName } from '../../../contracts/streams.ts'
import { companyDecider } from '../../../domain/company/decider.ts'
import { userDecider } from '../../../domain/user/decider.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { signAccessToken } from '../../../platform/secrets/accessTokens.ts'
import { hasPassed } from '../../../projections/runner/readAfterWrite.ts'
import { startBackend } from '../../../services/backend/backend.ts'
import { until } from '../time/until.ts'
import { type HarnessOptions, startGatewayHarness } from './gatewayHarness.ts'

export type Person = {
  readonly userId: string
  readonly email: string
  readonly password: string
  readonly token: string
}

export type Reply = {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the fields are asserted, not used.
  readonly data: any
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly errors: readonly any[] | undefined
  /** Of the first error. */
  readonly code: string | undefined
}

/** The headers that a browser adds to requests from a page of this server. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }

export const PASSWORD = 'correct horse battery'
/** Cheap parameters for tests, because ours are slow on purpose. A hash is verified with its own parameters. */
const passwordHash = `$scrypt$ln=4,r=8,p=1$c2FsdA$${scryptSync(PASSWORD, 'salt', 32, { N: 2 ** 4, r: 8, p: 1 }).toString('base64url')}`

export type BackendHarness = Awaited<ReturnType<typeof startBackendHarness>>

/** A backend beside the gateway of its harness, with a super admin and an admin of the harness's company. */
export async function startBackendHarness(options: HarnessOptions = {}) {
  const harness = await startGatewayHarness({ ...options, env: { BACKEND_PORT: '0', ...options.env } })
  const { runtime } = harness
  const { engines, clock, secrets } = runtime
  const backend = await startBackend(runtime)
  const url = backend.url ?? ''

  /** A fresh token, for tests that move the clock. */
  const tokenOf = ({ userId, email }: Pick<Person, 'userId' | 'email'>): Promise<string> =>
    signAccessToken(secrets.jwtSecret, { userId, email, version: 0 }, clock.now(), 3_600)
  const register = async (email: string, companyId: string | null): Promise<Person> => {
    const emailLookup = await engines.personal.lookupOf(email)
    const userId = deterministicId(`user:${emailLookup}`)
    const person = { userId, companyId, email, emailLookup, passwordHash, isSuperAdmin: companyId === null }
    const command = { type: 'RegisterUser', ...person, at: isoTime(clock.now()) } as const
    const context = { commandId: randomUUID(), correlationId: 'test', actor: { kind: 'system', name: 'test' } } as const
    const stream = streamName('user', userId)
    const { position } = await engines.commands.handle(userDecider, stream, command, context)
    const partition = engines.feed.partitionOf(stream)
    const isKnown = () => hasPassed(engines.database, 'users', position ?? BEGINNING, clock, partition)
    await until(`${email} is projected`, isKnown)
    return { userId, email, password: PASSWORD, token: await tokenOf({ userId, email }) }
  }
  const assignRole = async (companyId: string, userId: string, role: Role): Promise<void> => {
    const change = { companyId, userId, unrecorded: [], byOwner: true, at: isoTime(clock.now()) }
    const context = { commandId: randomUUID(), correlationId: 'test', actor: { kind: 'system', name: 'test' } } as const
    const stream = streamName('company', companyId)
    const command = { type: 'AssignRole', role, ...change } as const
    const { position } = await engines.commands.handle(companyDecider, stream, command, context)
    const partition = engines.feed.partitionOf(stream)
    const isKnown = () => hasPassed(engines.database, 'members', position ?? BEGINNING, clock, partition)
    await until(`the role of ${userId} is projected`, isKnown)
  }
  const ask = async (query: string, variables: object = {}, token: string | null = null): Promise<Reply> => {
    const headers = { 'content-type': 'application/json', ...bearer(token) }
    return reply(await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) }))
  }
  /** The headers that a browser sends with each request once the person has signed in. */
  const signIn = async ({ email, password }: Pick<Person, 'email' | 'password'>): Promise<Record<string, string>> => {
    const headers = { 'content-type': 'application/json', ...OWN_PAGE }
    const answer = await fetch(`${url}/session`, { method: 'POST', headers, body: JSON.stringify({ email, password }) })
    if (!answer.ok) throw new Error(`${email} is not signed in: ${answer.status} ${await answer.text()}`)
    return { ...OWN_PAGE, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  const superAdmin = await register('root@platform.example', null)
  const admin = await register('admin@first.example', harness.companyId)
  return {
    ...harness,
    gatewayUrl: harness.url,
    url,
    backend,
    superAdmin,
    admin,
    register,
    assignRole,
    signIn,
    tokenOf,
    ask,
    reply,
    close: async () => {
      await backend.drain(1_000)
      await harness.close()
    },
  }
}

async function reply(response: Response): Promise<Reply> {
  const { data, errors } = (await response.json()) as Pick<Reply, 'data' | 'errors'>
  return { status: response.status, data, errors, code: errors?.[0]?.extensions?.code }
}

export function bearer(token: string | null): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` }
}
