import type { Runtime } from '../../../../capabilities/installation.ts'
import { type ActiveUser, activeUserByLookup } from '../../../../projections/users/queries.ts'
import { apiError } from '../apiError.ts'
import type { Logins } from './logins.ts'

export type PasswordAttempt = {
  readonly clientAddress: string
  readonly email: string
  readonly password: string
}

/** The user with this address and password. Throws UNAUTHENTICATED, or RATE_LIMITED after too many attempts. */
export async function userOfPassword(
  { engines }: Runtime,
  logins: Logins,
  { clientAddress, email, password }: PasswordAttempt,
): Promise<ActiveUser> {
  const lookup = await engines.personal.lookupOf(email)
  const user = await activeUserByLookup(engines.database, lookup)
  const isRight = await logins.attempt(clientAddress, lookup, password, user?.passwordHash ?? null)
  if (!user || !isRight) throw apiError('UNAUTHENTICATED', 'the e-mail address or the password is wrong')
  return user
}
