import type { UserEvent } from '../../contracts/events/user.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { requireEmail } from '../mailAddress.ts'
import {
  decideReset,
  evolveResets,
  type PasswordReset,
  type PasswordResets,
  requireOpenReset,
} from './passwordReset.ts'

export type UserState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'registered'
      readonly email: string
      readonly passwordHash: string
      /** Even after the user was removed from it; null for a super admin who belongs to no company. */
      readonly companyId: string | null
      readonly isSuperAdmin: boolean
      /** Missing until a password reset is requested. */
      readonly resets?: PasswordResets
    }
  | { readonly status: 'erased' }

export function evolve(state: UserState, event: UserEvent): UserState {
  switch (event.type) {
    case 'UserRegistered':
      return {
        status: 'registered',
        email: event.data.email,
        passwordHash: event.data.passwordHash,
        companyId: event.data.companyId,
        isSuperAdmin: event.data.isSuperAdmin,
      }
    case 'PasswordChanged':
      return state.status === 'registered' ? withPassword(state, event.data.passwordHash) : state
    case 'PasswordResetRequested':
      return state.status === 'registered' ? { ...state, resets: evolveResets(state.resets, event) } : state
    case 'UserJoined':
      return state.status === 'registered'
        ? { ...withPassword(state, event.data.passwordHash), companyId: event.data.companyId }
        : state
    case 'SignedOutEverywhere':
      return state
    case 'UserErased':
      return { status: 'erased' }
    default:
      return unexpected(event)
  }
}

/** A new password invalidates the link with which it could be set. */
function withPassword(state: Extract<UserState, { status: 'registered' }>, passwordHash: string): typeof state {
  const { resets } = state
  return { ...state, passwordHash, ...(resets && { resets: { ...resets, open: null } }) }
}

/** Passwords arrive here hashed: a raw one never reaches an event. */
export type UserCommand =
  | {
      readonly type: 'RegisterUser'
      readonly userId: string
      readonly companyId: string | null
      readonly email: string
      readonly emailLookup: string
      readonly passwordHash: string
      readonly isSuperAdmin: boolean
      readonly at: string
    }
  | { readonly type: 'ChangePassword'; readonly userId: string; readonly passwordHash: string; readonly at: string }
  | ({ readonly type: 'RequestPasswordReset'; readonly userId: string; readonly at: string } & PasswordReset)
  /** With the token of a link that was mailed to the user. */
  | {
      readonly type: 'ResetPassword'
      readonly userId: string
      readonly tokenHash: string
      readonly passwordHash: string
      readonly at: string
    }
  /** A user who was removed from a company. The caller checks that, on the stream of that company. */
  | {
      readonly type: 'JoinCompany'
      readonly userId: string
      readonly companyId: string
      readonly passwordHash: string
      readonly at: string
    }
  | { readonly type: 'SignOutEverywhere'; readonly userId: string; readonly at: string }
  | { readonly type: 'EraseUser'; readonly userId: string; readonly at: string }

export function decide(command: UserCommand, state: UserState): UserEvent[] {
  const { userId } = command
  if ('passwordHash' in command) requireHash(command.passwordHash)
  switch (command.type) {
    case 'RegisterUser': {
      if (state.status === 'registered') throw new Refusal('CONFLICT', `user ${userId} exists already`)
      if (state.status === 'erased') throw new Refusal('CONFLICT', `user ${userId} was erased and stays so`)
      const { companyId, emailLookup, passwordHash, isSuperAdmin } = command
      if (companyId === null && !isSuperAdmin) {
        throw new Refusal('INVALID', 'a user who is not a super admin must belong to a company')
      }
      const email = requireEmail(command.email)
      return [
        {
          type: 'UserRegistered',
          data: { userId, companyId, email, emailLookup, passwordHash, isSuperAdmin, registeredAt: command.at },
        },
      ]
    }
    case 'ChangePassword':
      requireRegistered(state, userId)
      return [{ type: 'PasswordChanged', data: { userId, passwordHash: command.passwordHash, changedAt: command.at } }]
    case 'RequestPasswordReset':
      return decideReset(command, requireRegistered(state, userId).resets)
    case 'ResetPassword': {
      requireOpenReset(state.status === 'registered' ? state.resets : undefined, command.tokenHash, command.at)
      return [{ type: 'PasswordChanged', data: { userId, passwordHash: command.passwordHash, changedAt: command.at } }]
    }
    case 'JoinCompany': {
      // Otherwise any company could turn a former user back into a super admin, through an invitation.
      if (requireRegistered(state, userId).isSuperAdmin) {
        throw new Refusal('INVALID', 'a super admin joins no company by an invitation')
      }
      const { companyId, passwordHash } = command
      return [{ type: 'UserJoined', data: { userId, companyId, passwordHash, joinedAt: command.at } }]
    }
    case 'SignOutEverywhere':
      requireRegistered(state, userId)
      return [{ type: 'SignedOutEverywhere', data: { userId, signedOutAt: command.at } }]
    case 'EraseUser':
      if (state.status === 'unknown') throw new Refusal('NOT_FOUND', `there is no user ${userId}`)
      return state.status === 'erased' ? [] : [{ type: 'UserErased', data: { userId, erasedAt: command.at } }]
    default:
      return unexpected(command)
  }
}

function requireRegistered(state: UserState, userId: string) {
  if (state.status !== 'registered') throw new Refusal('NOT_FOUND', `there is no user ${userId}`)
  return state
}

/** The PHC format of the password hasher. Anything else might be a raw password. */
function requireHash(passwordHash: string): void {
  if (!/^\$scrypt\$/.test(passwordHash)) throw new Refusal('INVALID', 'the password is not hashed')
}

export const userDecider: Decider<UserState, UserCommand, UserEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}
