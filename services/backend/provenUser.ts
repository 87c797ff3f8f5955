import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Runtime } from '../../capabilities/installation.ts'
import { SESSION_MS_MAX } from '../../capabilities/sessions/sessionTimes.ts'
import { spendSignInLink } from '../../capabilities/sessions/signInLinks.ts'
import { isUuid } from '../../contracts/uuid.ts'
import { HttpError } from '../../platform/http/answer/httpError.ts'
import { clientAddress } from '../../platform/http/limits/clientAddress.ts'
import { readAccessToken } from '../../platform/secrets/accessTokens.ts'
import { activeUserById } from '../../projections/users/queries.ts'
import type { GraphqlLoader } from './graphql/loadGraphql.ts'
import { demoUsers, isLocalDemo } from './localDemo.ts'

/** The ways to sign in. The last two exist only in a sandbox installation, for browsers on its machine. */
export const signIn = z.union([
  z.strictObject({ email: z.string(), password: z.string() }),
  z.strictObject({ token: z.string().meta({ description: 'From login, acceptInvitation or resetPassword' }) }),
  z.strictObject({ signInLink: z.string().meta({ description: 'The token of the link that a start prints' }) }),
  z.strictObject({ demoUser: z.string().meta({ description: 'The address of a demo user' }) }),
])
export type SignIn = z.infer<typeof signIn>

/** An authenticated user, and the latest time until which that counts. */
export type ProvenUser = { readonly userId: string; readonly version: number; readonly endsAtMs: number }

/** Throws a 401, or the errors of `Logins`, whose limits count for all ways together. */
export async function provenUser(
  runtime: Runtime,
  graphql: GraphqlLoader,
  request: IncomingMessage,
  shown: SignIn,
): Promise<ProvenUser> {
  const { config, clock } = runtime
  const { logins } = await graphql.load()
  const address = clientAddress(request, config.TRUST_PROXY)
  const endsAtMs = clock.now() + SESSION_MS_MAX
  if ('email' in shown) {
    const { userOfPassword } = await import('./graphql/signIn/userOfPassword.ts')
    const user = await userOfPassword(runtime, logins, { clientAddress: address, ...shown })
    return { userId: user.userId, version: user.tokenVersion, endsAtMs }
  }
  await logins.admit(address)
  if ('token' in shown) return byToken(runtime, shown.token)
  if (!isLocalDemo(request, config)) {
    throw new HttpError(401, 'this way to sign in needs a sandbox installation, and a browser on its machine')
  }
  const who = 'signInLink' in shown ? await byLink(runtime, shown.signInLink) : await byDemo(runtime, shown.demoUser)
  return { ...who, endsAtMs }
}

/** A session made from a token must not outlive the token. */
async function byToken({ secrets, clock }: Runtime, token: string): Promise<ProvenUser> {
  const read = await readAccessToken(secrets.jwtSecret, token, clock.now())
  if (!read || !isUuid(read.userId)) throw new HttpError(401, 'the token is not valid')
  return { userId: read.userId, version: read.version, endsAtMs: read.expiresAtMs }
}

type Who = Pick<ProvenUser, 'userId' | 'version'>

async function byLink({ engines, clock }: Runtime, token: string): Promise<Who> {
  const used = await spendSignInLink(engines.database, token, clock.now())
  if (!used) throw new HttpError(401, 'the link was used before or has expired; each start prints a new one')
  return { userId: used.userId, version: used.tokenVersion }
}

async function byDemo({ engines, config }: Runtime, email: string): Promise<Who> {
  const demo = (await demoUsers(config.DATA_DIR)).find((user) => user.email === email)
  const row = demo && (await activeUserById(engines.database, demo.userId))
  if (!row) throw new HttpError(401, 'there is no such demo user')
  return { userId: row.userId, version: row.tokenVersion }
}
