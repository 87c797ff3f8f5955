import type { Role } from '../../graphql/roles.ts'
import { roleName } from '../../shell/roleName.ts'

const ROLES: readonly Role[] = ['OWNER', 'ADMIN', 'BILLING', 'DEVELOPER', 'AUDITOR']

export const ROLE_HINTS: Readonly<Record<Role, string>> = {
  OWNER: 'Can do everything. Only owners appoint and remove owners.',
  ADMIN: 'Like an owner, but cannot manage owners.',
  BILLING: 'Reads balance, ledger, usage and invoices; buys credits and changes the subscription.',
  DEVELOPER: 'Creates their own keys and sees their usage.',
  AUDITOR: 'Reads balance, ledger, usage, keys and invoices. Changes nothing.',
}

/** The roles that this role can assign: only owners appoint owners. */
export function rolesToGive(own: Role | null): readonly Role[] {
  if (own === 'OWNER') return ROLES
  return own === 'ADMIN' ? ROLES.filter((role) => role !== 'OWNER') : []
}

/** Whether this role can change or remove people with the other role. */
export function mayManage(own: Role | null, other: Role | null): boolean {
  return other !== null && rolesToGive(own).includes(other)
}

export function nameOfRole(role: Role | null): string {
  return roleName({ isSuperAdmin: false, role })
}
