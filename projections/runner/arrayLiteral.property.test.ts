import { afterAll, beforeAll } from 'vitest'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { readAsJson, testReadBack } from '../../test/support/databases/readsBack.ts'
import { arrayLiteral } from './tables.ts'

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
})
afterAll(() => models.close())

const readBack = async (type: string, values: readonly unknown[]) => {
  const rows = await models.database.query<{ value: unknown }>(
    `select ${readAsJson(type)} as value from unnest($1::${type}[]) with ordinality as u(value, n) order by n`,
    [arrayLiteral(values)],
  )
  return rows.map(({ value }) => value)
}

testReadBack(readBack, {
  text: ['plain', '', 'NULL', 'null', 'a,b', '{}', '"', '\\', ' spaced ', 'line\nbreak', 'ü', null],
  jsonb: [{ a: ['"', '\\'] }, [], null, ['x, y']],
})
