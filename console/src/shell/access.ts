import type { SessionUser } from '../api/session.ts'
import type { Role } from '../graphql/roles.ts'

/** What the console offers by role. The backend decides; this only keeps refusals out of sight. */
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

/** What a page of a company is about. Everybody in the company can use the other pages. */
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

/** A super admin who looks at a company reads as its owner would, and changes nothing in it. */
export function may(user: SessionUser, asCompany: string | null, ability: Ability): boolean {
  if (asCompany !== null) return ability.startsWith('read')
  return user.role !== null && (MAY[ability] as readonly Role[]).includes(user.role)
}
