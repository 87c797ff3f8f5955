import type { KeyBudget } from '../../contracts/events/apiKey.ts'
import type { Sql } from '../runner/ports.ts'
import type { ApiKeyRow } from './projection.ts'

/** A key with all keys of its rotation: the first one, and all that were rotated from it. */
export function familyOf(sql: Sql, keyId: string): Promise<ApiKeyRow[]> {
  return sql.query<ApiKeyRow>(
    `with recursive older as (
       select key_id, rotated_from from read_models.api_keys where key_id = $1
       union select k.key_id, k.rotated_from from read_models.api_keys k join older on k.key_id = older.rotated_from
     ), family as (
       select key_id from older where rotated_from is null
       union select k.key_id from read_models.api_keys k join family on k.rotated_from = family.key_id
     )
     select k.* from read_models.api_keys k join family using (key_id)`,
    [keyId],
  )
}

/** The keys of each rotation, indexed by every one of them. The first key of a rotation comes first. */
export function familiesOf(rows: readonly ApiKeyRow[]): ReadonlyMap<string, readonly ApiKeyRow[]> {
  const byId = new Map(rows.map((row) => [row.keyId, row]))
  const families = new Map<string, ApiKeyRow[]>()
  const familyFor = (row: ApiKeyRow): ApiKeyRow[] => {
    const known = families.get(row.keyId)
    if (known) return known
    const older = row.rotatedFrom === null ? undefined : byId.get(row.rotatedFrom)
    const family = older ? familyFor(older) : []
    family.push(row)
    families.set(row.keyId, family)
    return family
  }
  for (const row of rows) familyFor(row)
  return families
}

/** The key of a family whose budget was set last: it applies to all. */
export function lastSet(family: readonly ApiKeyRow[]): ApiKeyRow | undefined {
  let last: ApiKeyRow | undefined
  for (const row of family) {
    if (row.budgetSetAt === null) continue
    // Within the same millisecond, a change takes precedence over what the first key was minted with.
    if (!last?.budgetSetAt || row.budgetSetAt >= last.budgetSetAt) last = row
  }
  return last
}

/** The budget of a row; null if it has none. */
export function budgetOf({ budgetMicros, budgetPeriod }: ApiKeyRow): KeyBudget | null {
  return budgetMicros === null || budgetPeriod === null ? null : { amountMicros: budgetMicros, period: budgetPeriod }
}
