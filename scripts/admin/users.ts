import { randomUUID } from 'node:crypto'
import { newUserId } from '../../capabilities/commands/newUserId.ts'
import type { Installation } from '../../capabilities/installation.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import { Refusal } from '../../domain/decider.ts'
import { userDecider } from '../../domain/user/decider.ts'
import { isoTime, systemClock } from '../../platform/clock/clock.ts'
import { READ_PAGE_EVENTS_MAX } from '../../platform/eventStore/storeLimits.ts'
import { hashPassword } from '../../platform/secrets/passwords.ts'

/** Throws if the decider would refuse the address, so that the password is not requested in vain. */
export function requireAddress(email: string): void {
  const registration = {
    userId: '',
    companyId: null,
    emailLookup: '',
    passwordHash: '$scrypt$',
    isSuperAdmin: true,
    at: '',
  }
  userDecider.decide({ type: 'RegisterUser', email, ...registration }, userDecider.initialState())
}

export type KnownUser = {
  readonly userId: string
  readonly companyId: string | null
  readonly isSuperAdmin: boolean
}

/** The user with this address, super admin or not; null if there is none. */
export async function userOf({ store, personal }: Installation, email: string): Promise<KnownUser | null> {
  const emailLookup = await personal.lookupOf(email)
  const limit = READ_PAGE_EVENTS_MAX
  let owner: KnownUser | null = null
  for (let after = BEGINNING; ; ) {
    const page = await store.readAll({ after, categories: ['user'], limit })
    for (const { type, data } of page.events) {
      if (type === 'UserRegistered' && data.emailLookup === emailLookup) owner = data
      if (type === 'UserErased' && data.userId === owner?.userId) owner = null
    }
    if (page.position === after) return owner
    after = page.position
  }
}

/** Without a company: a super admin. */
export type NewUser = { readonly email: string; readonly password: string; readonly companyId: string | null }

export async function registerUser(
  { commands, personal, store }: Installation,
  { email, password, companyId }: NewUser,
): Promise<string> {
  const emailLookup = await personal.lookupOf(email)
  const userId = await newUserId(store, emailLookup)
  const commandId = randomUUID()
  const registration = {
    userId,
    companyId,
    email,
    emailLookup,
    passwordHash: await hashPassword(password),
    isSuperAdmin: companyId === null,
  }
  const context = { commandId, correlationId: commandId, actor: { kind: 'system', name: 'admin' } } as const
  try {
    const command = { type: 'RegisterUser', ...registration, at: isoTime(systemClock.now()) } as const
    await commands.handle(userDecider, streamName('user', userId), command, context)
  } catch (error) {
    // The operator needs the reason for the refusal, not the stack.
    throw error instanceof Refusal ? new Error(error.message) : error
  }
  return userId
}
