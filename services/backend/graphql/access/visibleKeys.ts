import type { ApiKeyRow } from '../../../../projections/apiKeys/projection.ts'
import { apiKeyOf } from '../../../../projections/apiKeys/queries.ts'
import { notFound } from '../apiError.ts'
import type { GraphqlContext } from '../context.ts'
import { requireId } from '../ids.ts'
import { requireCompany } from './access.ts'

/** The user to whose own keys the caller is limited; null for a caller who may see all keys of the company. */
export function onlyKeysOf({ user }: GraphqlContext): string | null {
  return user?.role === 'DEVELOPER' ? user.userId : null
}

/** A key of the caller's company that the caller may see; NOT_FOUND for any other one. */
export async function requireVisibleKey(context: GraphqlContext, id: string): Promise<ApiKeyRow> {
  const companyId = requireCompany(context)
  const key = await apiKeyOf(context.runtime.engines.database, companyId, requireId(id, 'key'))
  const owner = onlyKeysOf(context)
  if (!key || (owner !== null && key.mintedBy !== owner)) throw notFound('key', id)
  return key
}
