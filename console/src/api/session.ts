import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Role } from '../graphql/roles.ts'
import { ApiError, statusWords } from './apiError.ts'
import { sentence } from './execute.ts'
import { noteServerTime } from './now.ts'
import { type Answer, send } from './send.ts'

/** The person who is signed in. */
export type SessionUser = {
  readonly id: string
  readonly email: string
  readonly isSuperAdmin: boolean
  /** In their company; null for a super admin who belongs to none. */
  readonly role: Role | null
  readonly company: {
    readonly id: string
    readonly name: string
    readonly billingMode: 'PREPAID' | 'POSTPAID'
    /** null if nothing limits what the company may owe. */
    readonly creditLimitMicros: string | null
    /** null if it is not suspended. */
    readonly suspendedReason: string | null
  } | null
}

export type Credentials =
  | { readonly email: string; readonly password: string }
  /** The access token of a user who has just set a password. */
  | { readonly token: string }
  | { readonly demoUser: string }

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: (): Promise<SessionUser | null> => sessionAnswer('GET'),
  staleTime: 60_000,
})

export function signIn(credentials: Credentials): Promise<SessionUser | null> {
  return sessionAnswer('POST', credentials)
}

/** A demo user, who signs in without a password on the machine that runs the installation. */
export type DemoUser = { readonly email: string; readonly isSuperAdmin: boolean; readonly role: Role | null }

export const demoUsersQuery = queryOptions({
  queryKey: ['demo users'],
  queryFn: async (): Promise<readonly DemoUser[]> => {
    const { ok, body } = await send('GET', '/session/demo-users')
    return ok ? (body as { users: readonly DemoUser[] }).users : []
  },
})

const HAS_ENDED = ['session has ended']

/** Notes that the server has ended the session while a page was open. */
export function endSession(queries: QueryClient): void {
  queries.setQueryData(sessionQuery.queryKey, null)
  queries.setQueryData(HAS_ENDED, true)
}

/** Whether the session ended while a page was open. Signing in clears this along with all cached data. */
export function hasEnded(queries: QueryClient): boolean {
  return queries.getQueryData(HAS_ENDED) === true
}

export async function signOut(): Promise<void> {
  await send('DELETE', '/session')
}

/** The answer also has the server's time. It is read before any page is shown, and every minute while one is open. */
async function sessionAnswer(method: 'GET' | 'POST', credentials?: Credentials): Promise<SessionUser | null> {
  const sentMs = Date.now()
  const answer = await send(method, '/session', credentials)
  const user = userOf(answer)
  noteServerTime((answer.body as { now: string }).now, sentMs, Date.now())
  return user
}

function userOf({ ok, status, requestId, body }: Answer): SessionUser | null {
  if (ok) return (body as { user: SessionUser | null }).user
  const message = (body as { error?: string } | null)?.error
  throw new ApiError(message ? sentence(message) : statusWords(status), `HTTP_${status}`, requestId)
}
