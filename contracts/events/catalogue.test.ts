import { describe, expect, test } from 'vitest'
import { EVENT_CATALOGUE } from './catalogue.ts'
import { EVENTS_BY_CATEGORY } from './eventsByCategory.ts'

test('event names are unique across aggregates, because the name selects the schema', () => {
  const names = Object.values(EVENTS_BY_CATEGORY).flatMap((events) => Object.keys(events))
  expect(Object.keys(EVENT_CATALOGUE).sort()).toEqual(names.sort())
})

describe.each(Object.entries(EVENT_CATALOGUE))('%s', (type, { version, upcasters, schema }) => {
  test('has a name that the event store accepts', () => {
    expect(type).toMatch(/^[A-Z][A-Za-z0-9]{0,99}$/)
  })

  test('has an upcaster from every earlier version', () => {
    const before = Array.from({ length: version - 1 }, (_, n) => String(n + 1))
    expect(Object.keys(upcasters)).toEqual(before)
  })

  test('refuses fields that its schema does not name', () => {
    const issues = schema.safeParse({ unknownField: 1 }).error?.issues ?? []
    expect(issues.map((issue) => issue.code)).toContain('unrecognized_keys')
  })
})
