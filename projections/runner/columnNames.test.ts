import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { PROJECTIONS } from '../catalogue.ts'
import { columnOf, fieldOf } from './columnNames.ts'

test.each([
  ['company_id', 'companyId'],
  ['cancel_at_period_end', 'cancelAtPeriodEnd'],
  ['name', 'name'],
])('the column %s is the field %s', (column, field) => {
  expect(fieldOf(column)).toBe(field)
  expect(columnOf(field)).toBe(column)
})

test.each(PROJECTIONS.map((projection) => [projection.name, projection] as const))(
  'every name in the table of %s is found again from its field',
  async (_, { tableSql }) => {
    const names = (await readFile(tableSql, 'utf8')).match(/\b[a-z][a-z0-9_]*\b/g) ?? []
    expect(names.map(fieldOf).map(columnOf)).toEqual(names)
  },
)
