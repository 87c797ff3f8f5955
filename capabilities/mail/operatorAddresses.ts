import { sealedAddressesOfSuperAdmins } from '../../projections/users/queries.ts'
import type { Installation } from '../installation.ts'
import { ERASED } from '../personalData/personalData.ts'

/** The addresses of the super admins, without those of erased persons. */
export async function operatorAddresses(
  { database, personal }: Pick<Installation, 'database' | 'personal'>,
  limit: number,
): Promise<string[]> {
  const sealed = await sealedAddressesOfSuperAdmins(database, limit)
  return (await personal.revealAll(sealed)).filter((address) => address !== ERASED)
}
