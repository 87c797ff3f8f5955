import type { Runtime } from '../../../../capabilities/installation.ts'
import { renewSession, sessionOf } from '../../../../capabilities/sessions/sessionTable.ts'
import { isUuid } from '../../../../contracts/uuid.ts'
import { readAccessToken, type TokenSubject } from '../../../../platform/secrets/accessTokens.ts'
import { activeUserById } from '../../../../projections/users/queries.ts'
import type { Credentials } from '../../credentials.ts'
import type { SignedInUser } from '../context.ts'

type Verified = Pick<TokenSubject, 'userId' | 'version'> & {
  /** Records that the credentials were used. */
  renew(): Promise<void>
}

const NOTHING_TO_RENEW = async () => {}

/**
 * The user of a token or session; null if it is not valid or was revoked, or if its user was erased or removed. A session is
 * renewed unless this is only a look whether it is still valid.
 */
export async function userOf(
  runtime: Runtime,
  credentials: Credentials | null,
  { renews = true }: { readonly renews?: boolean } = {},
): Promise<SignedInUser | null> {
  const verified = credentials && (await verify(runtime, credentials))
  if (!verified || !isUuid(verified.userId)) return null
  const { engines } = runtime
  const row = await activeUserById(engines.database, verified.userId)
  if (!row || row.tokenVersion !== verified.version) return null
  if (renews) await verified.renew()
  const email = await engines.personal.reveal(row.email)
  const { userId, isSuperAdmin, companyId, role } = row
  return { userId, email, isSuperAdmin, companyId, role }
}

async function verify({ engines, secrets, clock }: Runtime, credentials: Credentials): Promise<Verified | null> {
  const { kind, secret } = credentials
  const nowMs = clock.now()
  if (kind === 'token') {
    const read = await readAccessToken(secrets.jwtSecret, secret, nowMs)
    return read && { ...read, renew: NOTHING_TO_RENEW }
  }
  const session = await sessionOf(engines.database, secrets.jwtSecret, secret, nowMs)
  if (!session) return null
  const renew = () => renewSession(engines.database, session, nowMs)
  return { userId: session.userId, version: session.tokenVersion, renew }
}
