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
  return rows.map((row) => shownKey(row, families.get(row.key_id) ?? [row], spend, at))
}

/** One key as it is after a change, whatever the read model shows of it. */
export async function shownChanged(context: GraphqlContext, row: ApiKeyRow): Promise<ApiKey> {
  const at = nowOf(context)
  const spend = await spendOf(context, row.company_id, at)
  const stored = await familyOf(context.runtime.engines.database, row.key_id)
  const family = [...stored.filter(({ key_id }) => key_id !== row.key_id), row]
  return shownKey(row, familiesOf(family).get(row.key_id) ?? family, spend, at)
}

async function spendOf({ runtime }: GraphqlContext, companyId: string, at: string): Promise<SpendByKey> {
  const rows = await companySpendIn(runtime.engines.database, companyId, periodsOf(at))
  const spend = new Map<string, Map<string, Spend>>()
  for (const row of rows) {
    const periods = spend.get(row.key_id) ?? new Map<string, Spend>()
    periods.set(row.period, { spentMicros: BigInt(row.spent_micros), lastUsedAt: row.last_used_at })
    spend.set(row.key_id, periods)
  }
  return spend
}

/** A key is expired from its expiry time on, also before ApiKeyExpired is stored. */
function shownKey(row: ApiKeyRow, family: readonly ApiKeyRow[], spend: SpendByKey, at: string): ApiKey {
  const isOver = row.status === 'LIVE' && row.expires_at !== null && row.expires_at <= at
  const spent = (keyId: string, period: string) => spend.get(keyId)?.get(period)?.spentMicros ?? 0n
  return {
    id: row.key_id,
    name: row.name,
    hint: row.hint,
    status: isOver ? 'EXPIRED' : row.status,
    scopes: row.scopes,
    models: row.models,
    rpm: Number(row.rpm),
    tpm: Number(row.tpm),
    expiresAt: row.expires_at,
    rotatedFrom: row.rotated_from,
    mintedBy: row.minted_by,
    createdAt: row.minted_at,
    revokedAt: row.revoked_at,
    label: row.label,
    budget: shownBudget(family, at, spent),
    lastUsedAt: spend.get(row.key_id)?.get(TOTAL)?.lastUsedAt ?? null,
    spentToday: creditsNumber(spent(row.key_id, periodOf('DAY', at))),
    spentThisMonth: creditsNumber(spent(row.key_id, periodOf('MONTH', at))),
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
  const spentMicros = family.reduce((sum, { key_id }) => sum + spent(key_id, period), 0n)
  return {
    credits: creditsNumber(BigInt(budget.amountMicros)),
    period: budget.period,
    spent: creditsNumber(spentMicros),
  }
}
