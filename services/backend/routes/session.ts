import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Runtime } from '../../../capabilities/installation.ts'
import {
  endSessionOfToken,
  openSession,
  type SessionRow,
  sessionOf,
} from '../../../capabilities/sessions/sessionTable.ts'
import { deviceOf, shortAddress } from '../../../capabilities/sessions/shortDescriptions.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { jsonReply, type Reply } from '../../../platform/http/answer/reply.ts'
import { type BodyReader, jsonBody } from '../../../platform/http/body/bodyReaders.ts'
import { clientAddress } from '../../../platform/http/limits/clientAddress.ts'
import { anyQuery, type Route, route } from '../../../platform/http/route.ts'
import { companyById } from '../../../projections/companies/queries.ts'
import { activeUserById } from '../../../projections/users/queries.ts'
import { askingPage } from '../askingPage.ts'
import { credentialsOf } from '../credentials.ts'
import type { SignedInUser } from '../graphql/context.ts'
import type { GraphqlLoader } from '../graphql/loadGraphql.ts'
import { type ProvenUser, provenUser, type SignIn, signIn } from '../provenUser.ts'
import { endedCookieHeader, sessionCookie, sessionCookieHeader } from '../sessionCookie.ts'
import type { BackendCaller } from '../userGuard.ts'

const STATUS: Readonly<Record<string, number>> = { UNAUTHENTICATED: 401, BAD_USER_INPUT: 400, RATE_LIMITED: 429 }

const SIGN_IN_BYTES_MAX = 8 * 1024
/** Session answers must not be cached. */
const NO_STORE = { 'cache-control': 'no-store' }

const sessionAnswer = z.object({
  user: z
    .object({
      id: z.string(),
      email: z.string(),
      isSuperAdmin: z.boolean(),
      role: z.string().nullable(),
      company: z
        .object({
          id: z.string(),
          name: z.string(),
          billingMode: z.enum(['PREPAID', 'POSTPAID']),
          creditLimitMicros: z
            .string()
            .nullable()
            .describe('how far below zero the balance of a postpaid company may go'),
          suspendedReason: z.string().nullable().describe('null if the company is not suspended'),
        })
        .nullable(),
    })
    .nullable(),
  session: z.object({ id: z.string(), createdAt: z.string(), expiresAt: z.string(), endsAt: z.string() }).nullable(),
  now: z.string().describe("the time by the server's clock, which days and periods are counted by"),
})

/** `/session`: signs a browser in, by a cookie, and out. Programs use the tokens of `login`. */
export function sessionRoutes(runtime: Runtime, graphql: GraphqlLoader): Route<BackendCaller>[] {
  const shared = { path: '/session', access: 'user', query: anyQuery, answer: sessionAnswer } as const
  return [
    route<BackendCaller>({
      ...shared,
      method: 'GET',
      summary: 'The user of the session; null without a valid session',
      handle: async ({ request, caller }) => {
        return jsonReply(200, await shownSession(runtime, request, caller), NO_STORE)
      },
    }),
    route<BackendCaller, z.ZodObject, SignIn>({
      ...shared,
      method: 'POST',
      summary: 'Signs a browser in',
      body: ownJsonBody(runtime),
      handle: async ({ request, body }) => {
        const proven = await provenUser(runtime, graphql, request, body).catch((error: unknown) => {
          throw asHttpError(error)
        })
        return openedSession(runtime, request, proven)
      },
    }),
    route<BackendCaller>({
      ...shared,
      method: 'DELETE',
      summary: 'Signs the browser out',
      handle: async ({ request }) => {
        const credentials = credentialsOf(request, runtime.config)
        const { engines, secrets } = runtime
        if (credentials?.kind === 'session') {
          await endSessionOfToken(engines.database, secrets.jwtSecret, credentials.secret)
        }
        const headers = { ...NO_STORE, 'set-cookie': endedCookieHeader(request, runtime.config) }
        return jsonReply(200, noSession(runtime), headers)
      },
    }),
  ]
}

/**
 * A page of another site must not sign its reader in, to an account that it can watch: it can send no JSON, and no request
 * with its own origin.
 */
function ownJsonBody({ config }: Pick<Runtime, 'config'>): BodyReader<SignIn> {
  const json = jsonBody(signIn, SIGN_IN_BYTES_MAX)
  return {
    contents: json.contents,
    read: (request, place) => {
      if (askingPage(request, config) === 'foreign') throw new HttpError(403, 'sign in on a page of this server')
      if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
        throw new HttpError(415, 'send application/json')
      }
      return json.read(request, place)
    },
  }
}

/** A new session under a new token. The one that the browser had before ends. */
async function openedSession(runtime: Runtime, request: IncomingMessage, proven: ProvenUser): Promise<Reply> {
  const { config, clock, ids, engines, secrets } = runtime
  const { userId, version: tokenVersion, endsAtMs } = proven
  const user = await activeUserById(engines.database, userId)
  if (!user || user.tokenVersion !== tokenVersion) throw new HttpError(401, 'the token is not valid')
  const before = sessionCookie(request, config)
  if (before !== null) await endSessionOfToken(engines.database, secrets.jwtSecret, before)
  const nowMs = clock.now()
  const { token, row } = await openSession(engines.database, secrets.jwtSecret, {
    ...{ sessionId: ids.uuid(), userId, tokenVersion, nowMs, endsAtMs },
    device: deviceOf(request.headers['user-agent']),
    network: shortAddress(clientAddress(request, config.TRUST_PROXY)),
  })
  const { isSuperAdmin, companyId, role } = user
  const email = await engines.personal.reveal(user.email)
  const headers = { ...NO_STORE, 'set-cookie': sessionCookieHeader(request, config, token, endsAtMs - nowMs) }
  return jsonReply(200, await shown(runtime, { userId, email, isSuperAdmin, companyId, role }, row), headers)
}

type SessionAnswer = z.infer<typeof sessionAnswer>

function noSession({ clock }: Runtime): SessionAnswer {
  return { user: null, session: null, now: isoTime(clock.now()) }
}

async function shownSession(runtime: Runtime, request: IncomingMessage, user: BackendCaller): Promise<SessionAnswer> {
  if (!user) return noSession(runtime)
  const credentials = credentialsOf(request, runtime.config)
  if (credentials?.kind !== 'session') return shown(runtime, user, null)
  const { engines, secrets, clock } = runtime
  const row = await sessionOf(engines.database, secrets.jwtSecret, credentials.secret, clock.now())
  return shown(runtime, user, row)
}

async function shown(
  { engines, clock }: Runtime,
  { userId: id, email, isSuperAdmin, companyId, role }: SignedInUser,
  row: SessionRow | null,
): Promise<SessionAnswer> {
  const company = companyId === null ? null : await companyById(engines.database, companyId)
  const shownCompany = company && {
    id: company.companyId,
    name: company.name,
    billingMode: company.billingMode,
    creditLimitMicros: company.creditLimitMicros,
    suspendedReason: company.suspendedReason,
  }
  return {
    user: { id, email, isSuperAdmin, role, company: shownCompany },
    session: row && {
      id: row.sessionId,
      createdAt: row.createdAt,
      expiresAt: row.expiresAt,
      endsAt: row.endsAt,
    },
    now: isoTime(clock.now()),
  }
}

/** The HTTP refusal for an error of the GraphQL API, whose limits of log-ins count here too. Others stay as they are. */
function asHttpError(error: unknown): unknown {
  if (!(error instanceof Error) || !('extensions' in error)) return error
  const { code, retryAfterSeconds = 1 } = error.extensions as { code?: string; retryAfterSeconds?: number }
  const status = STATUS[code ?? '']
  if (status === undefined) return error
  return new HttpError(status, error.message, status === 429 ? { 'retry-after': String(retryAfterSeconds) } : {})
}
