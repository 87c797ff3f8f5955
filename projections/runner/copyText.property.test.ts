import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { readAsJson, testReadBack } from '../../test/support/databases/readsBack.ts'
import { copyLine } from './bulkModel.ts'

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
})
afterAll(() => models.close())

const readBack = (type: string, values: readonly unknown[]) =>
  models.database.transaction(async (sql) => {
    await sql.query(`create temporary table copied (n int, value ${type}, other text) on commit drop`)
    const lines = values.map((value, n) => copyLine(['n', 'value', 'other'], { other: 'last', value, n }))
    await sql.copy('copy copied (n, value, other) from stdin', lines.join(''))
    const rows = await sql.query<{ value: unknown }>(`select ${readAsJson(type)} as value from copied order by n`)
    return rows.map(({ value }) => value)
  })

testReadBack(readBack, {
  text: ['plain', '', '\\N', '\\.', 'a\tb', '\\', '\\t', ' spaced ', 'line\nbreak', 'line\r\nbreak', 'ü', null],
  jsonb: [{ a: ['"', '\\', '\n', '\t'] }, [], null, ['x, y']],
})

test('rows that the database refuses fail the transaction, and the connection stays usable', async () => {
  const connection = models.connect()
  const refused = connection.transaction(async (sql) => {
    await sql.query('create table refused (n int)')
    await sql.copy('copy refused from stdin', 'not a number\n'.repeat(100_000))
  })
  await expect(refused).rejects.toThrow('invalid input syntax for type integer')
  expect(await connection.query("select to_regclass('refused') as found")).toEqual([{ found: null }])
  await connection.close()
})
