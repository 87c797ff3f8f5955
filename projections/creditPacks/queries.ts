import type { Sql } from '../runner/ports.ts'
import type { CreditPackRow } from './projection.ts'

/** The packs for sale, in their sort order. */
export function activePacks(sql: Sql): Promise<CreditPackRow[]> {
  return sql.query<CreditPackRow>(
    "select * from read_models.credit_packs where status = 'ACTIVE' order by sort_order, created_at, pack_id",
  )
}

export async function packById(sql: Sql, packId: string): Promise<CreditPackRow | null> {
  const [row] = await sql.query<CreditPackRow>('select * from read_models.credit_packs where pack_id = $1', [packId])
  return row ?? null
}

/** Packs that were created without a price at the provider. */
export function packsWithoutPrice(sql: Sql, createdBefore: string, limit: number): Promise<CreditPackRow[]> {
  return sql.query<CreditPackRow>(
    "select * from read_models.credit_packs where status = 'PENDING' and created_at < $1 order by created_at limit $2",
    [createdBefore, limit],
  )
}
