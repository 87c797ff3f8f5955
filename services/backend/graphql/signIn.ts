import { isUuid } from '../../../contracts/uuid.ts'
import { activeUserById } from '../../../projections/users/queries.ts'
import type { Runtime } from '../../platform/runtime.ts'
import { readAccessToken } from '../../platform/secrets/accessTokens.ts'
import type { SignedInUser } from './context.ts'

/** The user of a token; null if the token is not valid or was revoked, or if its user was erased or removed. */
export async function userOfToken(runtime: Runtime, token: string | null): Promise<SignedInUser | null> {
  if (token === null) return null
  const { engines, secrets, clock } = runtime
  const read = await readAccessToken(secrets.jwtSecret, token, clock.now())
  const row = read && isUuid(read.userId) ? await activeUserById(engines.database, read.userId) : null
  if (!row || row.token_version !== read?.version) return null
  const email = await engines.personal.reveal(row.email)
  const { user_id: userId, is_super_admin: isSuperAdmin, company_id: companyId, role } = row
  return { userId, email, isSuperAdmin, companyId, role }
}
