import type { Role } from '../graphql/roles.ts'

const NAMES: Readonly<Record<Role, string>> = {
  OWNER: 'Owner',
  ADMIN: 'Admin',
  BILLING: 'Billing',
  DEVELOPER: 'Developer',
  AUDITOR: 'Auditor',
}

export function roleName({
  isSuperAdmin,
  role,
}: {
  readonly isSuperAdmin: boolean
  readonly role: Role | null
}): string {
  if (isSuperAdmin) return 'Super admin'
  return role === null ? 'No role' : NAMES[role]
}
