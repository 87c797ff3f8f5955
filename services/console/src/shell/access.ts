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

/** A super admin who looks at a company reads as its owner would, and changes nothing in it. */
export function may(user: SessionUser, asCompany: string | null, ability: Ability): boolean {
  if (asCompany !== null) return ability.startsWith('read')
  return user.role !== null && (MAY[ability] as readonly Role[]).includes(user.role)
}
