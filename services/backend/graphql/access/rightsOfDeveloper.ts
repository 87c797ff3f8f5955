import type { KeyBudget } from '../../../../contracts/events/apiKey.ts'
import type { KeySettings } from '../../../../domain/apiKey/decider.ts'
import type { Budget } from '../../../../domain/budget.ts'
import { NO_KEY_RULES } from '../../../../domain/company/spending.ts'
import { budgetOf, familyOf, lastSet } from '../../../../projections/apiKeys/family.ts'
import type { ApiKeyRow } from '../../../../projections/apiKeys/projection.ts'
import { companyById } from '../../../../projections/companies/queries.ts'
import { projectsOf } from '../../../../projections/projects/queries.ts'
import type { GraphqlContext } from '../context.ts'
import { requireCompany } from './access.ts'
import { budgetOfNewKey, type DeveloperRights, requireAllowedChanges, requireMintable } from './developerKeys.ts'
import { onlySeenBy } from './visibleKeys.ts'

/** The rights of the developer who asks; null for a caller whose keys follow no rules. */
async function rightsOf(context: GraphqlContext): Promise<DeveloperRights | null> {
  const memberId = onlySeenBy(context)
  if (memberId === null) return null
  const companyId = requireCompany(context)
  const { database } = context.runtime.engines
  const company = await companyById(database, companyId)
  const own = await projectsOf(database, { companyId, memberId, includeArchived: true })
  const ids = new Set(own.map(({ projectId }) => projectId))
  return { rules: company?.keyRules ?? NO_KEY_RULES, isMemberOf: (projectId) => ids.has(projectId) }
}

/** The budget with which the caller mints a key, which may be that of the rules; FORBIDDEN for a key that they may not mint. */
export async function budgetOfMinting(
  context: GraphqlContext,
  { budget, projectId }: { readonly budget: Budget | null; readonly projectId: string | null },
): Promise<Budget | null> {
  const rights = await rightsOf(context)
  if (rights === null) return budget
  const given = budgetOfNewKey(budget, rights.rules)
  requireMintable({ budget: given, projectId }, rights)
  return given
}

/** A developer may first give the old key what the new one would lack: a smaller budget, or a project. */
export async function requireRotatable(context: GraphqlContext, key: ApiKeyRow): Promise<void> {
  const rights = await rightsOf(context)
  if (rights === null) return
  const present = await budgetOfRotation(context, key)
  const budget = present && { amountMicros: BigInt(present.amountMicros), period: present.period }
  requireMintable({ budget, projectId: key.projectId }, rights)
}

export async function requireChangeable(
  context: GraphqlContext,
  key: ApiKeyRow,
  changes: Partial<KeySettings>,
): Promise<void> {
  const rights = await rightsOf(context)
  if (rights === null) return
  const { projectId, label, labelFixed } = key
  const callsInFlight = key.callsInFlight === null ? null : Number(key.callsInFlight)
  const budget = await budgetOfRotation(context, key)
  requireAllowedChanges({ projectId, label, labelFixed, callsInFlight, budget }, changes, rights)
}

async function budgetOfRotation(context: GraphqlContext, { keyId }: ApiKeyRow): Promise<KeyBudget | null> {
  const last = lastSet(await familyOf(context.runtime.engines.database, keyId))
  return last ? budgetOf(last) : null
}
