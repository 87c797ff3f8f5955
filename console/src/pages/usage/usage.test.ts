import { expect, test } from 'vitest'
import { usageCsv } from './csv.ts'
import { pivotOf } from './pivot.ts'

const node = (group: string, subgroup: string | null, micros: number) => ({
  ...{ group, subgroup, requests: 2, failures: 1, tokensIn: 10, tokensOut: 5 },
  amountMicros: String(micros),
})

test('a pivot has a row per group and a column per subgroup, most expensive first', () => {
  const { rows, columns, total } = pivotOf([node('a', 'x', 5), node('a', 'y', 7), node('b', 'y', 1)])
  expect(columns).toEqual(['y', 'x'])
  expect(rows.map(({ group, micros, requests }) => [group, micros, requests])).toEqual([
    ['a', 12n, 4],
    ['b', 1n, 2],
  ])
  expect(rows[1]?.cells.get('x')).toBeUndefined()
  expect(total).toMatchObject({ micros: 13n, requests: 6, failures: 3, tokensIn: 30, tokensOut: 15 })
})

test('without a second group there are no subgroup columns', () => {
  expect(pivotOf([node('a', null, 5)]).columns).toEqual([])
})

test('CSV has exact credits, quotes what needs it and defuses formulas', () => {
  const csv = usageCsv([node('=1+1', 'x, "y"', 1), node('b', null, -2_500_000)], ['model', 'label'], (value) => value)
  expect(csv.split('\r\n')).toEqual([
    'model,label,requests,failures,tokens_in,tokens_out,credits',
    `'=1+1,"x, ""y""",2,1,10,5,0.000001`,
    'b,,2,1,10,5,-2.50',
    '',
  ])
})
