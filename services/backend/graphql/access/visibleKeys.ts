import type { ApiKeyRow } from '../../../../projections/apiKeys/projection.ts'
import { apiKeyOf, isKeySeenBy } from '../../../../projections/apiKeys/queries.ts'
import type { CallRow } from '../../../../projections/calls/projection.ts'
import { isCallSeenBy } from '../../../../projections/calls/queries.ts'
import { apiError, notFound } from '../apiError.ts'
import type { GraphqlContext } from '../context.ts'
import { requireId } from '../ids.ts'
import { requireCompany } from './access.ts'

/**
 * The developer who asks, who sees the keys that they minted and those in projects of theirs; null for a caller who may see all
 * keys of the company.
 */
export function onlySeenBy({ user }: GraphqlContext): string | null {
  return user?.role === 'DEVELOPER' ? user.userId : null
}

/** Developers see the calls of keys that they minted, and those that were made in projects of theirs. */
export async function isVisibleCall(
  context: GraphqlContext,
  call: Pick<CallRow, 'companyId' | 'keyId' | 'projectId'>,
): Promise<boolean> {
  const developer = onlySeenBy(context)
  return developer === null || isCallSeenBy(context.runtime.engines.database, call, developer)
}

async function isVisibleKey(context: GraphqlContext, companyId: string, keyId: string): Promise<boolean> {
  const developer = onlySeenBy(context)
  return developer === null || isKeySeenBy(context.runtime.engines.database, companyId, keyId, developer)
}

/** A key of the caller's company that the caller may see; NOT_FOUND for any other one. */
export async function requireVisibleKey(context: GraphqlContext, id: string): Promise<ApiKeyRow> {
  const companyId = requireCompany(context)
  const key = await apiKeyOf(context.runtime.engines.database, companyId, requireId(id, 'key'))
  if (!key || !(await isVisibleKey(context, companyId, key.keyId))) throw notFound('key', id)
  return key
}

/** A key that the caller may change: members of a project see each other's keys, but a new secret is for the owner alone. */
export async function requireChangeableKey(context: GraphqlContext, id: string): Promise<ApiKeyRow> {
  const key = await requireVisibleKey(context, id)
  const developer = onlySeenBy(context)
  if (developer === null || key.mintedBy === developer) return key
  throw apiError('FORBIDDEN', 'a developer can change, rotate and revoke only keys that they minted')
}
