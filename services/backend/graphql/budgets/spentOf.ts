import type { KeyBudget } from '../../../../contracts/events/apiKey.ts'
import { periodOf, periodsOf } from '../../../../domain/apiKey/budgetPeriod.ts'
import { labelAccount, projectAccount } from '../../../../domain/budgetAccounts.ts'
import { spendOfAccounts } from '../../../../projections/budgetSpend/queries.ts'
import { companySpendIn } from '../../../../projections/keySpend/queries.ts'
import { type GraphqlContext, nowOf } from '../context.ts'

/** What a budget is for: a company, its keys of one rotation, a project, or a fixed label. */
export type Spender =
  | { readonly level: 'COMPANY' }
  | { readonly level: 'KEY'; readonly keyIds: readonly string[] }
  | { readonly level: 'PROJECT'; readonly projectId: string }
  | { readonly level: 'LABEL'; readonly label: string }

type SpendIn = (period: string) => bigint

/** What each of these spends in the present period of its budget, in millionths. */
export async function spentOf(
  context: GraphqlContext,
  companyId: string,
  budgets: readonly { readonly spender: Spender; readonly budget: KeyBudget }[],
): Promise<bigint[]> {
  const { database } = context.runtime.engines
  const at = nowOf(context)
  const ofKeys = await companySpendIn(database, companyId, periodsOf(at))
  const accounts = budgets.flatMap(({ spender }) => accountOf(companyId, spender) ?? [])
  const ofAccounts = await spendOfAccounts(database, accounts, periodsOf(at))
  const sum = (rows: readonly { readonly period: string; readonly spentMicros: string }[]): SpendIn => {
    return (period) => rows.reduce((all, row) => (row.period === period ? all + BigInt(row.spentMicros) : all), 0n)
  }
  const rowsByKey = Map.groupBy(ofKeys, ({ keyId }) => keyId)
  const rowsByAccount = Map.groupBy(ofAccounts, ({ account }) => account)
  return budgets.map(({ spender, budget }) => {
    const period = periodOf(budget.period, at)
    const account = accountOf(companyId, spender)
    if (account !== null) return sum(rowsByAccount.get(account) ?? [])(period)
    if (spender.level === 'KEY') return sum(spender.keyIds.flatMap((keyId) => rowsByKey.get(keyId) ?? []))(period)
    return sum(ofKeys)(period)
  })
}

/** The account of the read model; null for keys and companies, whose spend is that of keys. */
function accountOf(companyId: string, spender: Spender): string | null {
  if (spender.level === 'PROJECT') return projectAccount(spender.projectId)
  return spender.level === 'LABEL' ? labelAccount(companyId, spender.label) : null
}
