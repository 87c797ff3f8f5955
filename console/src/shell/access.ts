import type { SessionUser } from '../api/session.ts'
import type { Role } from '../graphql/roles.ts'

/** What the console offers to each role. The backend enforces it; this only hides what would be refused. */
const MAY = {
  readMoney: ['OWNER', 'ADMIN', 'BILLING', 'AUDITOR'],
  readKeys: ['OWNER', 'ADMIN', 'DEVELOPER', 'AUDITOR'],
  readTrail: ['OWNER', 'ADMIN', 'AUDITOR'],
  readPeople: ['OWNER', 'ADMIN', 'AUDITOR'],
  readWebhooks: ['OWNER', 'ADMIN'],
  changeWebhooks: ['OWNER', 'ADMIN'],
  changePeople: ['OWNER', 'ADMIN'],
  pay: ['OWNER', 'ADMIN', 'BILLING'],
  changeKeys: ['OWNER', 'ADMIN', 'DEVELOPER'],
} as const satisfies Record<string, readonly Role[]>

export type Ability = keyof typeof MAY

/** The ability that a page needs. Pages not listed are open to everybody in the company. */
const NEEDS = {
  '/keys': 'readKeys',
  '/billing': 'readMoney',
  '/statement': 'readMoney',
  '/trail': 'readTrail',
} as const satisfies Record<string, Ability>

/** null for a page that every role can use. */
export function abilityFor(pathname: string): Ability | null {
  return pathname in NEEDS ? NEEDS[pathname as keyof typeof NEEDS] : null
}

/** A super admin who views a company can read what its owner can, but change nothing. */
export function may(user: SessionUser, asCompany: string | null, ability: Ability): boolean {
  if (asCompany !== null) return ability.startsWith('read')
  return user.role !== null && (MAY[ability] as readonly Role[]).includes(user.role)
}
