import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Projection } from '../../../projections/projection.ts'
import { columnOf } from '../../../projections/runner/columnNames.ts'
import { hashProjection } from '../../../projections/runner/hash.ts'
import { everyStream } from '../eventStores/everyStream.ts'
import { ReadModels } from './readModels.ts'

/** A hash of each model that depends only on the values of its rows. */
export function describeModelHashes(projections: readonly Projection[]): void {
  let models: ReadModels
  beforeAll(async () => {
    models = await ReadModels.open()
    for (let n = 0; n < 3; n++) {
      for (const { stream, events } of everyStream()) await models.append(stream, ...events)
    }
  })
  afterAll(() => models.close())
  const hashOf = async (projection: Projection) => (await hashProjection(models.database, projection))?.hash

  describe.each(projections.map((projection) => [projection.name, projection] as const))(
    'the hash of %s',
    (_, model) => {
      const table = `read_models.${model.table}`
      beforeEach(async () => {
        await models.rebuild(model)
      })

      test('comes with the number of rows and the position', async () => {
        const rows = await models.rows(model)
        expect(rows.length).toBeGreaterThan(2)
        expect(await hashProjection(models.database, model)).toEqual({
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          rows: rows.length,
          positions: { all: await models.store.head() },
        })
      })

      test('changes when one value of one row changes', async () => {
        const before = await hashOf(model)
        const columns = await models.database.query<{ name: string; type: string }>(
          `select column_name as name, data_type as type from information_schema.columns
           where table_schema = 'read_models' and table_name = $1`,
          [model.table],
        )
        await models.database.query(`create table public.kept as select * from ${table}`)
        try {
          for (const { name, type } of columns) {
            const first = `(select min(ctid) from ${table} where ${model.hashed ?? 'true'})`
            await models.database.query(`update ${table} set ${name} = ${tampered(name, type)} where ctid = ${first}`)
            expect([name, await hashOf(model)]).not.toEqual([name, before])
            await models.database.query(`delete from ${table}`)
            await models.database.query(`insert into ${table} select * from public.kept`)
          }
        } finally {
          await models.database.query('drop table public.kept')
        }
        expect(await hashOf(model)).toBe(before)
      })

      test('changes when a row is missing', async () => {
        const before = await hashOf(model)
        await models.database.query(
          `delete from ${table} where ctid = (select min(ctid) from ${table} where ${model.hashed ?? 'true'})`,
        )
        expect(await hashOf(model)).not.toBe(before)
      })

      test('depends neither on the order of writes nor on the time zone', async () => {
        const before = await hashOf(model)
        await models.database.transaction(async (sql) => {
          await sql.query(`create temp table kept on commit drop as select * from ${table}`)
          await sql.query(`delete from ${table}`)
          await sql.query(
            `insert into ${table} select * from kept order by ${model.key.map((field) => `${columnOf(field)} desc`)}`,
          )
        })
        expect(await hashOf(model)).toBe(before)
        const [name] = await models.database.query<{ name: string }>('select current_database() as name')
        await models.database.query(`alter database ${name?.name} set timezone to 'Asia/Kathmandu'`)
        const elsewhere = models.connect()
        try {
          const [zone] = await elsewhere.query<{ TimeZone: string }>('show timezone')
          expect(zone?.TimeZone).toBe('Asia/Kathmandu')
          expect((await hashProjection(elsewhere, model))?.hash).toBe(before)
        } finally {
          await elsewhere.close()
        }
      })
    },
  )
}

function tampered(name: string, type: string): string {
  if (type === 'boolean') return `not ${name}`
  if (type === 'jsonb') return `jsonb_build_array(${name})`
  if (type === 'uuid') return 'gen_random_uuid()'
  if (type.startsWith('timestamp')) return `coalesce(${name}, now()) + interval '1 millisecond'`
  return type === 'text' ? `coalesce(${name}, '') || ' '` : `coalesce(${name}, 0) + 1000`
}
