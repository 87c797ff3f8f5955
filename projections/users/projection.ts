import type { UserEvent } from '../../contracts/events/user.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type UserRow = {
  readonly user_id: string
  readonly company_id: string | null
  /** Encrypted, as stored. null once the user is erased, like the two fields after it. */
  readonly email: string | null
  readonly email_lookup: string | null
  readonly password_hash: string | null
  readonly is_super_admin: boolean
  /** Counts password changes, returns after a removal, and sign-outs. Access tokens carry it, and those of an older version are refused. */
  readonly token_version: number
  readonly registered_at: string
  readonly erased_at: string | null
}

export const users: Projection<UserRow, UserEvent> = {
  name: 'users',
  version: 2,
  categories: ['user'],
  table: 'users',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['user_id'],
  rowsOf: (event) => [{ user_id: event.data.userId }],
  evolve: (row, event) => {
    if (event.type === 'UserRegistered') {
      const { userId, companyId, email, emailLookup, passwordHash, isSuperAdmin, registeredAt } = event.data
      const place = { user_id: userId, company_id: companyId, is_super_admin: isSuperAdmin, token_version: 0 }
      const person = { email, email_lookup: emailLookup, password_hash: passwordHash }
      return { ...place, ...person, registered_at: registeredAt, erased_at: null }
    }
    if (!row) throw new Error(`${event.type} of user ${event.data.userId}, who was never registered`)
    switch (event.type) {
      case 'PasswordChanged':
        return { ...row, password_hash: event.data.passwordHash, token_version: row.token_version + 1 }
      case 'UserJoined': {
        const { companyId, passwordHash } = event.data
        return { ...row, company_id: companyId, password_hash: passwordHash, token_version: row.token_version + 1 }
      }
      case 'PasswordResetRequested':
        return row
      case 'SignedOutEverywhere':
        return { ...row, token_version: row.token_version + 1 }
      case 'UserErased':
        return { ...row, email: null, email_lookup: null, password_hash: null, erased_at: event.data.erasedAt }
      default:
        return unexpected(event)
    }
  },
}
