import type { Role } from '../../contracts/roles.ts'
import { streamName } from '../../contracts/streams.ts'
import { companyDecider } from '../../domain/company/decider.ts'
import { userDecider } from '../../domain/user/decider.ts'
import { sealedAddressesOf } from '../../projections/users/queries.ts'
import type { Installation } from '../installation.ts'
import { ERASED } from '../personalData/personalData.ts'

/** As in `sealedAddressesOf`. */
const ROLES: ReadonlySet<Role> = new Set(['OWNER', 'ADMIN', 'BILLING'])

/** The addresses of the people who look after a company's credits, without those of erased persons. */
export async function companyAddresses(
  engines: Pick<Installation, 'database' | 'personal' | 'commands'>,
  companyId: string,
  limit: number,
): Promise<string[]> {
  const shown = await revealed(engines, await sealedAddressesOf(engines.database, companyId, limit))
  // The read model may be behind. A company that has someone must not be treated as if it had no one.
  return shown.length > 0 ? shown : revealed(engines, await recordedAddresses(engines, companyId, limit))
}

async function recordedAddresses(
  { commands }: Pick<Installation, 'commands'>,
  companyId: string,
  limit: number,
): Promise<string[]> {
  const company = await commands.stateOf(companyDecider, streamName('company', companyId))
  const members = Object.entries((company.status === 'registered' && company.members) || {})
  const addresses: string[] = []
  for (const [userId] of members.filter(([, role]) => role !== null && ROLES.has(role))) {
    if (addresses.length === limit) break
    const user = await commands.stateOf(userDecider, streamName('user', userId))
    if (user.status === 'registered') addresses.push(user.email)
  }
  return addresses
}

async function revealed({ personal }: Pick<Installation, 'personal'>, sealed: readonly string[]): Promise<string[]> {
  return (await personal.revealAll(sealed)).filter((address) => address !== ERASED)
}
