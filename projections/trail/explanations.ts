import type { Sql } from '../runner/ports.ts'

/** Why a difference of a reconciliation is none, in the words of a super admin. */
export type Explanation = { readonly reason: string; readonly explainedAt: string }

/** The newest explanation of each of these differences that has one. */
export async function explanationsOf(
  sql: Sql,
  differenceIds: readonly string[],
): Promise<ReadonlyMap<string, Explanation>> {
  const rows = await sql.query<Explanation & { readonly differenceId: string }>(
    `select distinct on (stream) facts ->> 'differenceId' as difference_id, facts ->> 'reason' as reason,
       facts ->> 'explainedAt' as explained_at
     from read_models.trail where type = 'DifferenceExplained' and stream = any($1::text[])
     order by stream, revision desc`,
    [differenceIds.map((id) => `difference-${id}`)],
  )
  return new Map(rows.map(({ differenceId, ...explanation }) => [differenceId, explanation]))
}
