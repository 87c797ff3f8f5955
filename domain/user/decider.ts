import type { UserEvent } from '../../contracts/events/user.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'

export const EMAIL_CHARS_MAX = 254

export type UserState =
  | { readonly status: 'unknown' }
  | { readonly status: 'registered'; readonly email: string; readonly passwordHash: string }
  | { readonly status: 'erased' }

export function evolve(state: UserState, event: UserEvent): UserState {
  switch (event.type) {
    case 'UserRegistered':
      return { status: 'registered', email: event.data.email, passwordHash: event.data.passwordHash }
    case 'PasswordChanged':
      return state.status === 'registered' ? { ...state, passwordHash: event.data.passwordHash } : state
    case 'SignedOutEverywhere':
      return state
    case 'UserErased':
      return { status: 'erased' }
    default:
      return unexpected(event)
  }
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
      if (state.status !== 'registered') throw new Refusal('NOT_FOUND', `there is no user ${userId}`)
      return [{ type: 'PasswordChanged', data: { userId, passwordHash: command.passwordHash, changedAt: command.at } }]
    case 'SignOutEverywhere':
      if (state.status !== 'registered') throw new Refusal('NOT_FOUND', `there is no user ${userId}`)
      return [{ type: 'SignedOutEverywhere', data: { userId, signedOutAt: command.at } }]
    case 'EraseUser':
      if (state.status === 'unknown') throw new Refusal('NOT_FOUND', `there is no user ${userId}`)
      return state.status === 'erased' ? [] : [{ type: 'UserErased', data: { userId, erasedAt: command.at } }]
    default:
      return unexpected(command)
  }
}

function requireEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (email.length > EMAIL_CHARS_MAX || !/^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@\p{C}]+$/u.test(email)) {
    throw new Refusal('INVALID', `${JSON.stringify(text.slice(0, 100))} is not a mail address`)
  }
  return email
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
