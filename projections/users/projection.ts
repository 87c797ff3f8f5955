import type { UserEvent } from '../../contracts/events/user.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type UserRow = {
  readonly userId: string
  readonly companyId: string | null
  /** Encrypted, as stored. null once the user is erased, like the two fields after it. */
  readonly email: string | null
  readonly emailLookup: string | null
  readonly passwordHash: string | null
  readonly isSuperAdmin: boolean
  /** Counts password changes, returns after a removal, and sign-outs. Access tokens with an older version are refused. */
  readonly tokenVersion: number
  readonly registeredAt: string
  readonly erasedAt: string | null
}

export const users: Projection<UserRow, UserEvent> = {
  name: 'users',
  version: 2,
  categories: ['user'],
  table: 'users',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['userId'],
  rowsOf: (event) => [{ userId: event.data.userId }],
  evolve: (row, event) => {
    if (event.type === 'UserRegistered') {
      const { userId, companyId, email, emailLookup, passwordHash, isSuperAdmin, registeredAt } = event.data
      const user = { userId, companyId, email, emailLookup, passwordHash, isSuperAdmin, registeredAt }
      return { ...user, tokenVersion: 0, erasedAt: null }
    }
    if (!row) throw new Error(`${event.type} of user ${event.data.userId}, who was never registered`)
    switch (event.type) {
      case 'PasswordChanged':
        return { ...row, passwordHash: event.data.passwordHash, tokenVersion: row.tokenVersion + 1 }
      case 'UserJoined': {
        const { companyId, passwordHash } = event.data
        return { ...row, companyId, passwordHash, tokenVersion: row.tokenVersion + 1 }
      }
      case 'PasswordResetRequested':
        return row
      case 'SignedOutEverywhere':
        return { ...row, tokenVersion: row.tokenVersion + 1 }
      case 'UserErased':
        return { ...row, email: null, emailLookup: null, passwordHash: null, erasedAt: event.data.erasedAt }
      default:
        return unexpected(event)
    }
  },
}
