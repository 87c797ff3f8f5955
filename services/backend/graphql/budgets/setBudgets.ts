import type { KeyBudget } from '../../../../contracts/events/apiKey.ts'
import { creditsNumber } from '../../../../domain/credits.ts'
import { familiesOf, keysOfBudgets, lastSet } from '../../../../projections/apiKeys/family.ts'
import type { ApiKeyRow } from '../../../../projections/apiKeys/projection.ts'
import { keyIdsSeenBy } from '../../../../projections/apiKeys/queries.ts'
import { budgetIn } from '../../../../projections/budgetColumns.ts'
import { companyById } from '../../../../projections/companies/queries.ts'
import { labelBudgetsOf } from '../../../../projections/labelBudgets/queries.ts'
import { projectsOf } from '../../../../projections/projects/queries.ts'
import { onlySeenBy } from '../access/visibleKeys.ts'
import type { GraphqlContext } from '../context.ts'
import type { Budget } from '../generated.ts'
import { LIST_ROWS_MAX } from '../paging.ts'
import { type Spender, spentOf } from './spentOf.ts'

/** A budget with what it is for. */
export type SetBudget = {
  readonly spender: Spender
  readonly targetId: string | null
  readonly name: string
  readonly budget: KeyBudget
}

/** All budgets that the caller may see: of the company, of projects, of keys, and of labels. */
export async function setBudgetsOf(context: GraphqlContext, companyId: string): Promise<SetBudget[]> {
  const { database } = context.runtime.engines
  const developer = onlySeenBy(context)
  const projects = await projectsOf(database, { companyId, memberId: developer, includeArchived: false })
  const ofProjects = projects.flatMap((row) => {
    const { projectId, name } = row
    return setOr({ spender: { level: 'PROJECT', projectId }, targetId: projectId, name }, budgetIn(row))
  })
  const ofKeys = keyBudgets(
    await keysOfBudgets(database, companyId),
    developer === null ? null : await keyIdsSeenBy(database, companyId, developer),
  )
  if (developer !== null) return [...ofProjects, ...ofKeys]
  const company = await companyById(database, companyId)
  const labels = await labelBudgetsOf(database, companyId)
  return [
    ...(company
      ? setOr({ spender: { level: 'COMPANY' }, targetId: companyId, name: company.name }, budgetIn(company))
      : []),
    ...ofProjects,
    ...ofKeys,
    ...labels.flatMap((row) => {
      const { label } = row
      return setOr({ spender: { level: 'LABEL', label }, targetId: null, name: label }, budgetIn(row))
    }),
  ]
}

/**
 * One for each rotation with a key that is live and seen, under the key where it was set last. Of very many, those of the newest
 * keys.
 */
function keyBudgets(rows: readonly ApiKeyRow[], seen: ReadonlySet<string> | null): SetBudget[] {
  const budgets = [...new Set(familiesOf(rows).values())].flatMap((family) => {
    const isShown = family.some(({ keyId, status }) => status === 'LIVE' && (seen === null || seen.has(keyId)))
    const last = lastSet(family)
    if (!isShown || !last) return []
    const spender = { level: 'KEY', keyIds: family.map(({ keyId }) => keyId) } as const
    return setOr({ spender, targetId: last.keyId, name: last.name }, budgetIn(last))
  })
  return budgets.slice(-LIST_ROWS_MAX)
}

function setOr(target: Omit<SetBudget, 'budget'>, budget: KeyBudget | null): SetBudget[] {
  return budget ? [{ ...target, budget }] : []
}

export async function shownBudgets(
  context: GraphqlContext,
  companyId: string,
  budgets: readonly SetBudget[],
): Promise<Budget[]> {
  const spent = await spentOf(context, companyId, budgets)
  return budgets.map(({ spender, targetId, name, budget }, n) => {
    const amountMicros = BigInt(budget.amountMicros)
    const spentMicros = spent[n] ?? 0n
    const left = amountMicros > spentMicros ? amountMicros - spentMicros : 0n
    return {
      level: spender.level,
      targetId,
      label: spender.level === 'LABEL' ? spender.label : null,
      name,
      credits: creditsNumber(amountMicros),
      period: budget.period,
      spent: creditsNumber(spentMicros),
      left: creditsNumber(left),
    }
  })
}
