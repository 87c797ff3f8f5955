import { periodOf, periodsOf } from '../../../../domain/apiKey/budgetPeriod.ts'
import { budgetOf, familiesOf, lastSet } from '../../../../projections/apiKeys/family.ts'
import type { ApiKeyRow } from '../../../../projections/apiKeys/projection.ts'
import { keysOfBudgetedCompanies } from '../../../../projections/apiKeys/queries.ts'
import type { KeySpendRow } from '../../../../projections/keySpend/projection.ts'
import { spendOfKeys } from '../../../../projections/keySpend/queries.ts'
import type { Sql } from '../../../../projections/runner/ports.ts'
import type { TaskDraft } from '../worker.ts'
import { mailTask } from './mailCauses.ts'

/** The shares of a budget at which the admins get a mail, each once in a period. */
const NOTICE_PERCENTS = [80, 100] as const

/** The mails about budgets of which so much is spent in the current period. They may have been sent already. */
export async function budgetMails(sql: Sql, at: string): Promise<TaskDraft[]> {
  const rows = await keysOfBudgetedCompanies(sql)
  if (rows.length === 0) return []
  const families = [...new Set(familiesOf(rows).values())].filter((family) => isBudgeted(family))
  const keyIds = families.flatMap((family) => family.map(({ keyId }) => keyId))
  const spend = new Map((await spendOfKeys(sql, keyIds, periodsOf(at))).map((row) => [placeOf(row), row.spentMicros]))
  return families.flatMap((family) => mailsOf(family, spend, at))
}

function isBudgeted(family: readonly ApiKeyRow[]): boolean {
  return lastSet(family)?.budgetMicros != null
}

function placeOf({ keyId, period }: Pick<KeySpendRow, 'keyId' | 'period'>): string {
  return `${keyId} ${period}`
}

function mailsOf(family: readonly ApiKeyRow[], spend: ReadonlyMap<string, string>, at: string): TaskDraft[] {
  const [first] = family
  const last = lastSet(family)
  const budget = last && budgetOf(last)
  if (!first || !last || !budget) return []
  const period = periodOf(budget.period, at)
  const spent = family.reduce((sum, { keyId }) => sum + BigInt(spend.get(placeOf({ keyId, period })) ?? 0), 0n)
  const budgetMicros = BigInt(budget.amountMicros)
  return NOTICE_PERCENTS.filter((percent) => spent * 100n >= budgetMicros * BigInt(percent)).map((percent) => {
    const { companyId, keyId, name, hint } = last
    const facts = { companyId, at, keyId, name, hint, percent }
    const amounts = { spentMicros: String(spent), budgetMicros: budget.amountMicros }
    // A budget that is raised within the period has mails of its own.
    const cause = `key budget ${percent} %: ${first.keyId} ${period} ${budget.amountMicros}`
    return mailTask(cause, { kind: 'key_budget', ...facts, ...amounts, period: budget.period })
  })
}
