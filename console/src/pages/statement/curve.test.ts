import { readFileSync } from 'node:fs'
import { buildSchema, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { BALANCE_CURVE, bounds, curvePath, curveTimes, curveVariables } from './curve.ts'

const SCHEMA = new URL('../../../../contracts/graphql/schema.graphql', import.meta.url)

test('the points of a curve include both ends of its period', () => {
  const times = curveTimes(0, 23_000)
  expect(times).toHaveLength(24)
  expect([times[0], times[1], times.at(-1)]).toEqual([0, 1_000, 23_000])
  expect(curveVariables(times)).toMatchObject({ at0: '1970-01-01T00:00:00.000Z', at23: '1970-01-01T00:00:23.000Z' })
})

test('the operation that reads a curve is valid and takes its times', () => {
  const operation = parse(BALANCE_CURVE.toString())
  expect(validate(buildSchema(readFileSync(SCHEMA, 'utf8')), operation)).toEqual([])
  const [query] = operation.definitions
  const names =
    query?.kind === 'OperationDefinition' ? query.variableDefinitions?.map((one) => one.variable.name.value) : []
  expect(names).toEqual(['asCompany', ...Object.keys(curveVariables(curveTimes(0, 23_000)))])
})

test('a curve includes zero even if no balance is near it', () => {
  expect(bounds([5n, 7n])).toEqual({ low: 0n, high: 7n })
  expect(bounds([-5n, -2n])).toEqual({ low: -5n, high: 0n })
  expect(curvePath([0n, 10n, 5n], 100, 10)).toBe('M0.0 10.0H50.0V0.0H100.0V5.0')
})
