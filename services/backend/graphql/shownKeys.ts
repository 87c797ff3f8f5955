import { periodOf, periodsOf, TOTAL } from '../../../domain/apiKey/budgetPeriod.ts'
import { creditsNumber } from '../../../domain/credits.ts'
import { budgetOf, familiesOf, familyOf, lastSet } from '../../../projections/apiKeys/family.ts'
import type { ApiKeyRow } from '../../../projections/apiKeys/projection.ts'
import { companySpendIn } from '../../../projections/keySpend/queries.ts'
import { type GraphqlContext, nowOf } from './context.ts'
import type { ApiKey, KeyBudget } from './generated.ts'

type Spend = { readonly spentMicros: bigint; readonly lastUsedAt: string }
type SpendByKey = ReadonlyMap<string, ReadonlyMap<string, Spend>>

/** The keys of a company with what they have spent; `rows` has every key of each rotation. */
export async function shownKeys(context: GraphqlContext, companyId: string, rows: readonly ApiKeyRow[]) {
  const at = nowOf(context)
  const spend = await spendOf(context, companyId, at)
  const families = familiesOf(rows)
  return rows.map((row) => shownKey(row, families.get(row.keyId) ?? [row], spend, at))
}

/** One key as it is after a change, whatever the read model shows of it. */
export async function shownChanged(context: GraphqlContext, row: ApiKeyRow): Promise<ApiKey> {
  const at = nowOf(context)
  const spend = await spendOf(context, row.companyId, at)
  const stored = await familyOf(context.runtime.engines.database, row.keyId)
  const family = [...stored.filter(({ keyId }) => keyId !== row.keyId), row]
  return shownKey(row, familiesOf(family).get(row.keyId) ?? family, spend, at)
}

async function spendOf({ runtime }: GraphqlContext, companyId: string, at: string): Promise<SpendByKey> {
  const rows = await companySpendIn(runtime.engines.database, companyId, periodsOf(at))
  const spend = new Map<string, Map<string, Spend>>()
  for (const row of rows) {
    const periods = spend.get(row.keyId) ?? new Map<string, Spend>()
    periods.set(row.period, { spentMicros: BigInt(row.spentMicros), lastUsedAt: row.lastUsedAt })
    spend.set(row.keyId, periods)
  }
  return spend
}

/** A key is expired from its expiry time on, also before ApiKeyExpired is stored. */
function shownKey(row: ApiKeyRow, family: readonly ApiKeyRow[], spend: SpendByKey, at: string): ApiKey {
  const isOver = row.status === 'LIVE' && row.expiresAt !== null && row.expiresAt <= at
  const spent = (keyId: string, period: string) => spend.get(keyId)?.get(period)?.spentMicros ?? 0n
  const { keyId: id, name, hint, scopes, models, expiresAt, rotatedFrom, mintedBy, mintedAt, revokedAt, label } = row
  return {
    ...{ id, name, hint, scopes, models, expiresAt, rotatedFrom, mintedBy, createdAt: mintedAt, revokedAt, label },
    status: isOver ? 'EXPIRED' : row.status,
    rpm: Number(row.rpm),
    tpm: Number(row.tpm),
    budget: shownBudget(family, at, spent),
    lastUsedAt: spend.get(id)?.get(TOTAL)?.lastUsedAt ?? null,
    spentToday: creditsNumber(spent(id, periodOf('DAY', at))),
    spentThisMonth: creditsNumber(spent(id, periodOf('MONTH', at))),
  }
}

function shownBudget(
  family: readonly ApiKeyRow[],
  at: string,
  spent: (keyId: string, period: string) => bigint,
): KeyBudget | null {
  const last = lastSet(family)
  const budget = last && budgetOf(last)
  if (!budget) return null
  const period = periodOf(budget.period, at)
  const spentMicros = family.reduce((sum, { keyId }) => sum + spent(keyId, period), 0n)
  return {
    credits: creditsNumber(BigInt(budget.amountMicros)),
    period: budget.period,
    spent: creditsNumber(spentMicros),
  }
}
