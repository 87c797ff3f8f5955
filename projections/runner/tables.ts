import { readFile } from 'node:fs/promises'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import { applyChanges, type Change, changesOf, type Projection, type Row, rowKey } from '../projection.ts'
import { columnOf } from './columnNames.ts'
import type { Sql } from './ports.ts'

const PLAIN_ELEMENT = /^[\w:.+/-]+$/
const TO_ESCAPE = /["\\]/g

export const LIVE_SCHEMA = 'read_models'

/**
 * More rows are loaded by a statement with its own plan. They belong to a model that is catching up, whose table grows
 * fast: a plan kept from its first pages would scan the whole table for each batch until the database analyzes it.
 */
export const PREPARED_KEYS_MAX = 100

/** The ids of the events that a model has applied, for stores that may hold an event twice. */
export const countedTable = (projection: Projection) => `${projection.table}_counted`

export async function createTables(sql: Sql, projection: Projection, schema: string): Promise<void> {
  await sql.query(`set local search_path to ${schema}`)
  await sql.query(await readFile(projection.tableSql, 'utf8'))
  await sql.query(`create table ${countedTable(projection)} (event_id uuid primary key)`)
  await sql.query('set local search_path to default')
}

export function tablesOf(projection: Projection): string[] {
  return [projection.table, countedTable(projection)]
}

/**
 * Folds the events over the rows that they change and writes these, in the caller's transaction. `known` are rows as
 * stored. Returns the rows that the fold needed, in their new state.
 */
export async function applyBatch(
  sql: Sql,
  projection: Projection,
  schema: string,
  events: readonly RecordedEvent[],
  idsAreUnique: boolean,
  known: ReadonlyMap<string, Row> = new Map(),
): Promise<ReadonlyMap<string, Row>> {
  const fresh = idsAreUnique ? events : await countOnce(sql, projection, schema, events)
  const changes = changesOf(projection, fresh)
  const needed = keysToLoad(projection, changes)
  const changed = applyChanges(projection, changes, await rowsFor(sql, projection, schema, needed, known))
  if (changed.size > 0) await writeRows(sql, projection, schema, [...changed.values()])
  for (const at of needed.keys()) needed.set(at, changed.get(at) as Row)
  return needed
}

/** The keys of rows that may already exist, by their text. */
function keysToLoad({ insertOnly, creates }: Projection, changes: readonly Change[]): Map<string, Row> {
  const keys = new Map<string, Row>()
  if (insertOnly) return keys
  for (const { event, key, at } of changes) {
    if (!creates?.has(event.type)) keys.set(at, key)
  }
  return keys
}

async function countOnce(
  sql: Sql,
  projection: Projection,
  schema: string,
  events: readonly RecordedEvent[],
): Promise<RecordedEvent[]> {
  const rows = await sql.query<{ eventId: string }>(
    `insert into ${schema}.${countedTable(projection)} select distinct unnest($1::uuid[])
     on conflict do nothing returning event_id`,
    [events.map((event) => event.id)],
  )
  const fresh = new Set(rows.map((row) => row.eventId))
  return events.filter((event) => fresh.delete(event.id))
}

/** The ids among these whose events the model has applied. */
export async function countedAlready(
  sql: Sql,
  projection: Projection,
  schema: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await sql.query<{ eventId: string }>(
    `select event_id from ${schema}.${countedTable(projection)} where event_id = any ($1::uuid[])`,
    [ids],
  )
  return new Set(rows.map(({ eventId }) => eventId))
}

async function rowsFor(
  sql: Sql,
  projection: Projection,
  schema: string,
  keys: ReadonlyMap<string, Row>,
  known: ReadonlyMap<string, Row>,
): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>()
  const unknown: Row[] = []
  for (const [at, key] of keys) {
    const row = known.get(at)
    if (row) rows.set(at, row)
    else unknown.push(key)
  }
  if (unknown.length === 0) return rows
  for (const row of await loadRows(sql, projection, schema, unknown)) rows.set(rowKey(projection, row), row)
  return rows
}

/** The existing rows with these keys. */
export async function loadRows(sql: Sql, projection: Projection, schema: string, keys: readonly Row[]): Promise<Row[]> {
  const table = `${schema}.${projection.table}`
  const columns = projection.key.map(columnOf)
  const text = `select t.* from json_populate_recordset(null::${table}, $1::json) k join ${table} t using (${columns.join(', ')})`
  const named = keys.map((key) => Object.fromEntries(projection.key.map((field, n) => [columns[n], key[field]])))
  const values = [JSON.stringify(named)]
  return keys.length > PREPARED_KEYS_MAX ? sql.query<Row>(text, values) : prepared(sql, schema, text, values)
}

/**
 * Passes arrays of columns, which cost the database half as much as rows of JSON. Rows of an insert-only model are
 * always new, because the checkpoint in the same transaction prevents applying an event twice.
 */
export async function writeRows(sql: Sql, projection: Projection, schema: string, rows: readonly Row[]): Promise<void> {
  const fields = Object.keys(rows[0] ?? {})
  const columns = fields.map(columnOf)
  const types = await typesOf(sql, projection, schema)
  const key = projection.key.map(columnOf)
  const values = columns.filter((column) => !key.includes(column))
  const onConflict = projection.insertOnly
    ? ''
    : `on conflict (${key.join(', ')})
       do update set ${values.map((column) => `${column} = excluded.${column}`).join(', ')}`
  const arrays = columns.map((column, n) => `$${n + 1}::${types.get(column)}[]`)
  await prepared(
    sql,
    schema,
    `insert into ${schema}.${projection.table} (${columns.join(', ')}) select * from unnest(${arrays.join(', ')}) ${onConflict}`,
    fields.map((field) => arrayLiteral(rows.map((row) => row[field]))),
  )
}

/** By their text. A model has only a few. */
const statementNames = new Map<string, string>()

/**
 * Each connection prepares a statement on the live tables once: for a small batch, planning takes longer than
 * executing. The schema of a rebuild is used only once.
 */
function prepared(sql: Sql, schema: string, text: string, values: readonly unknown[]): Promise<Row[]> {
  if (schema !== LIVE_SCHEMA) return sql.query(text, values)
  const name = statementNames.get(text) ?? `read model ${statementNames.size + 1}`
  statementNames.set(text, name)
  return sql.query(text, values, name)
}

const knownTypes = new WeakMap<Projection, ReadonlyMap<string, string>>()

/** Cached, because a table never changes within a version of the projection and is the same in every schema. */
async function typesOf(sql: Sql, projection: Projection, schema: string): Promise<ReadonlyMap<string, string>> {
  const known = knownTypes.get(projection)
  if (known) return known
  const rows = await sql.query<{ name: string; type: string }>(
    `select attname as name, atttypid::regtype::text as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [`${schema}.${projection.table}`],
  )
  const types = new Map(rows.map(({ name, type }) => [name, type]))
  knownTypes.set(projection, types)
  return types
}

/** A PostgreSQL array of the values as text, to be parsed by the array's type; objects and lists become JSON. */
export function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map(element).join(',')}}`
}

function element(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (PLAIN_ELEMENT.test(text) && text.toUpperCase() !== 'NULL') return text
  return `"${text.replace(TO_ESCAPE, '\\$&')}"`
}
