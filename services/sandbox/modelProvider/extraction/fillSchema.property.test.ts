import { Ajv2020 } from 'ajv/dist/2020.js'
import { assert, constant, constantFrom, letrec, oneof, property, record, string, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/support/cases/propertyRuns.ts'
import { fillSchema } from './fillSchema.ts'
import type { JsonSchema } from './schemaNode.ts'

const CV = `Juno Halvard
juno@halvard.example | +47 22 55 01 00 | Oslo, Norway | github.com/juno-example
Availability: 2 weeks
Relocation: no

Experience
Platform Engineer, Fjordline AS
March 2020 - present
- Runs the clusters.

Skills
Go (4 years), Rust
`

const ajv = new Ajv2020({ strict: false, allowUnionTypes: true })

test('the answer is valid under any generated schema', () => {
  const name = oneof(
    ...['name', 'email', 'skills', 'experience', 'start', 'salary', 'level', 'years', 'links', 'title'].map(constant),
    string({ unit: constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 1, maxLength: 8 }),
  )
  const { schema } = letrec((tie) => ({
    schema: oneof(
      { depthSize: 'small', withCrossShrink: true },
      ...['string', 'number', 'integer', 'boolean', 'null'].map((type) => constant({ type })),
      constant({ type: ['string', 'null'] }),
      constant({ enum: ['junior', 'senior'] }),
      constant({ type: ['string', 'null'], pattern: '^\\d{4}$' }),
      record({ type: constant('array'), items: tie('schema'), maxItems: oneof(constant(1), constant(5)) }),
      record({ anyOf: record({ one: tie('schema') }).map(({ one }) => [one, { type: 'null' }]) }),
      record({ names: uniqueArray(name, { maxLength: 4 }), child: tie('schema'), other: tie('schema') }).map(
        ({ names, child, other }) =>
          closedObject(Object.fromEntries(names.map((each, n) => [each, n % 2 === 0 ? child : other]))),
      ),
    ),
  }))
  assert(
    property(schema, (generated) => {
      const valid = ajv.compile(generated as object)
      const filled = fillSchema(generated as JsonSchema, CV)
      expect({ filled, errors: valid(filled) ? [] : valid.errors }).toEqual({ filled, errors: [] })
    }),
    { numRuns: propertyRuns({ few: 60, many: 300 }) },
  )
})

function closedObject(properties: Record<string, unknown>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}
