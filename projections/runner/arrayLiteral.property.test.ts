import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyCharacter } from '../../test/support/anyCharacter.ts'
import { propertyRuns } from '../../test/support/propertyRuns.ts'
import { ReadModels } from '../../test/support/readModels.ts'
import { arrayLiteral } from './arrayLiteral.ts'

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
})
afterAll(() => models.close())

const readBack = async (type: string, values: readonly unknown[]) => {
  const rows = await models.database.query<{ value: unknown }>(
    `select to_jsonb(value) as value from unnest($1::${type}[]) with ordinality as u(value, n) order by n`,
    [arrayLiteral(values)],
  )
  return rows.map(({ value }) => value)
}

test.each([
  ['text', ['plain', '', 'NULL', 'null', 'a,b', '{}', '"', '\\', ' spaced ', 'line\nbreak', 'ü', null]],
  ['jsonb', [{ a: ['"', '\\'] }, [], null, ['x, y']]],
  ['bigint', ['9007199254740993', '-1', null]],
  ['boolean', [true, false, null]],
])('the database reads the same values back: %s', async (type, values) => {
  const expected = type === 'bigint' ? values.map((value) => value && Number(value)) : values
  expect(await readBack(type, values)).toEqual(expected)
})

test('the database reads any text back that a column can hold', async () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 20 }).filter((value) => !value.includes('\0'))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text), { minLength: 1, maxLength: 20 }), async (values) => {
      expect(await readBack('text', values)).toEqual(values)
    }),
    { numRuns: propertyRuns({ few: 20, many: 500 }) },
  )
})
