import type { TotalKind } from '../../domain/statement/totals.ts'
import type { Sql } from '../runner/ports.ts'

export type BlockTotal = {
  readonly kind: TotalKind
  readonly name: string
  readonly entries: string
  readonly deltaMicros: string
}

/** The totals of these blocks, excluding the last one, in the order in which the names first occur. */
export function totalsOfBlocks(sql: Sql, companyId: string, from: number, to: number): Promise<BlockTotal[]> {
  return sql.query<BlockTotal>(
    `select kind, name, sum(entries)::text as entries, sum(delta_micros)::text as delta_micros
     from read_models.ledger_totals where company_id = $1 and block >= $2 and block < $3
     group by kind, name order by min(first_revision)`,
    [companyId, from, to],
  )
}

/** The last block with totals, which may still grow; all blocks before it are complete. */
export async function lastBlockWithTotals(sql: Sql, companyId: string): Promise<number> {
  const [row] = await sql.query<{ block: string }>(
    'select block from read_models.ledger_totals where company_id = $1 order by block desc limit 1',
    [companyId],
  )
  return Number(row?.block ?? 0)
}
