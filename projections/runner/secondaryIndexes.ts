import type { Projection } from '../projection.ts'
import type { Sql } from './ports.ts'
import { LIVE_SCHEMA } from './tables.ts'

/** An index that does not belong to a constraint: queries use it, but no fold does. */
export type SecondaryIndex = { readonly name: string; readonly definition: string }

/** Those of these models. The definition is the statement that creates the index. */
export function readSecondaryIndexes(sql: Sql, projections: readonly Projection[]): Promise<SecondaryIndex[]> {
  return sql.query<SecondaryIndex>(
    `select format('%I.%I', n.nspname, c.relname) as name, pg_get_indexdef(c.oid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
     where i.indrelid = any ($1::regclass[]) and not exists (select from pg_constraint k where k.conindid = c.oid)
     order by 1`,
    [projections.map(({ table }) => `${LIVE_SCHEMA}.${table}`)],
  )
}

/**
 * Called before many events are applied to models that nothing reads meanwhile. Updating an index row by row takes
 * several times as long as creating it at the end.
 */
export async function dropIndexes(sql: Sql, indexes: readonly SecondaryIndex[]): Promise<void> {
  for (const { name } of indexes) await sql.query(`drop index if exists ${name}`)
}

/** Recreates dropped indexes. */
export async function createIndexes(sql: Sql, indexes: readonly SecondaryIndex[]): Promise<void> {
  for (const { definition } of indexes) await sql.query(definition)
}
