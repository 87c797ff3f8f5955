import { readFileSync } from 'node:fs'
import { buildSchema, getNamedType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'

const SCHEMA = new URL('../../../contracts/graphql/schema.graphql', import.meta.url)

/** Each is written by us or through an Int of an input, so none exceeds 2,147,483,647. */
const BOUNDED = [
  ...[
    'CreditLot.priority',
    'CreditPackOutput.sortOrder',
    'CreditPackTerms.validDays',
    'ModelTest.status',
    'ParkedTask.attempts',
    'Plan.dueDays',
    'Plan.sortOrder',
  ],
  // A preview reads a limited number of calls.
  ...['PricePreview.calls', 'PricePreview.refusedCalls', 'PricePreviewEntry.calls', 'PricePreviewEntry.refusedCalls'],
  ...['Receipt.version', 'WebhookDelivery.attempts', 'WebhookDelivery.lastStatus'],
]

test('a field whose value can exceed an Int is a Float: GraphQL cannot answer a larger Int', () => {
  const types = Object.values(buildSchema(readFileSync(SCHEMA, 'utf8')).getTypeMap()).filter(isObjectType)
  const fields = types
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
    .filter(({ field }) => getNamedType(field.type).name === 'Int')
  expect(fields.map(({ type, field }) => `${type.name}.${field.name}`).sort()).toEqual(BOUNDED)
})
