import type { CompanyEvent } from '../../contracts/events/company.ts'
import type { Role } from '../../contracts/roles.ts'
import { Refusal, unexpected } from '../decider.ts'

export type MemberEvent = Extract<CompanyEvent, { type: 'RoleAssigned' | 'UserRemoved' }>

/** The role of each user by id; null after the user was removed. */
export type Members = Readonly<Record<string, Role | null>>

export function evolveMembers(members: Members = {}, { type, data }: MemberEvent): Members {
  return { ...members, [data.userId]: type === 'RoleAssigned' ? data.role : null }
}

/** The input of every change by a user of the company, or by the operator. */
export type Change = {
  readonly companyId: string
  /**
   * Users of the company who were registered before there were roles, in the order of registration. The first change
   * records their roles, so that from then on the stream knows every owner.
   */
  readonly unrecorded: readonly string[]
  /** Only an owner, or the operator, may appoint owners, change their roles and remove them. */
  readonly byOwner: boolean
  readonly at: string
}

export type MembersCommand =
  /** Without a role, the first user becomes the owner and every other one an admin. */
  | ({ readonly type: 'AssignRole'; readonly userId: string; readonly role: Role | null } & Change)
  /** The person being erased leaves even if no other owner is left: the operator can appoint one. */
  | ({ readonly type: 'RemoveUser'; readonly userId: string; readonly isErasure: boolean } & Change)

export function decideMembers(command: MembersCommand, before: Members): MemberEvent[] {
  const { companyId, userId, at } = command
  const recorded = recordedRoles(command, before)
  const members = recorded.reduce(evolveMembers, before)
  const present = members[userId] ?? null
  switch (command.type) {
    case 'AssignRole': {
      const role = command.role ?? present ?? (ownersIn(members).length === 0 ? 'OWNER' : 'ADMIN')
      if (role === present) return recorded
      requireOwner(command, present, role)
      if (present === 'OWNER') requireOtherOwner(members)
      return [...recorded, { type: 'RoleAssigned', data: { companyId, userId, role, assignedAt: at } }]
    }
    case 'RemoveUser': {
      if (present === null) {
        if (!command.isErasure) throw new Refusal('NOT_FOUND', `there is no user ${userId}`)
        return []
      }
      requireOwner(command, present, null)
      if (present === 'OWNER' && !command.isErasure) requireOtherOwner(members)
      return [...recorded, { type: 'UserRemoved', data: { companyId, userId, removedAt: at } }]
    }
    default:
      return unexpected(command)
  }
}

/** The roles of users of an earlier version: the first one of a company owns it, the others are admins. */
export function recordedRoles({ companyId, unrecorded, at }: Change, before: Members): MemberEvent[] {
  const isFirst = Object.keys(before).length === 0
  return unrecorded
    .filter((userId) => before[userId] === undefined)
    .map((userId, n) => {
      const role = isFirst && n === 0 ? 'OWNER' : 'ADMIN'
      return { type: 'RoleAssigned', data: { companyId, userId, role, assignedAt: at } }
    })
}

export function requireOwner({ byOwner }: Pick<Change, 'byOwner'>, ...roles: (Role | null)[]): void {
  if (byOwner || !roles.includes('OWNER')) return
  throw new Refusal('INVALID', 'only an owner can appoint an owner, change the role of one or remove one')
}

function requireOtherOwner(members: Members): void {
  if (ownersIn(members).length > 1) return
  throw new Refusal('CONFLICT', 'a company keeps at least one owner: make another user an owner first')
}

function ownersIn(members: Members): string[] {
  return Object.keys(members).filter((userId) => members[userId] === 'OWNER')
}
