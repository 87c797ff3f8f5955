import { describe, expect, test } from 'vitest'
import { fillSchema } from './fillSchema.ts'
import type { JsonSchema } from './schemaNode.ts'

const object = (properties: Record<string, unknown>, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
})
const string_ = { type: 'string' }
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

describe('filling an unknown schema', () => {
  test('uses the names of properties in any naming style', () => {
    const schema = object({
      fullName: string_,
      emailAddress: string_,
      phone_number: string_,
      githubUrl: string_,
      workHistory: {
        type: 'array',
        items: object({ role: string_, employer: string_, from: string_, until: string_ }),
      },
      skill_names: { type: 'array', items: string_ },
    })
    expect(fillSchema(schema, CV)).toEqual({
      fullName: 'Juno Halvard',
      emailAddress: 'juno@halvard.example',
      phone_number: '+47 22 55 01 00',
      githubUrl: 'github.com/juno-example',
      workHistory: [{ role: 'Platform Engineer', employer: 'Fjordline AS', from: '2020-03', until: 'present' }],
      skill_names: ['Go', 'Rust'],
    })
  })

  test('uses the description of a property if its name means nothing', () => {
    expect(fillSchema(object({ x1: { type: 'string', description: 'E-mail address' } }), CV)).toEqual({
      x1: 'juno@halvard.example',
    })
  })

  test('uses labels and headings that no rule knows', () => {
    const schema = object({
      availability: string_,
      relocation: { type: 'boolean' },
      notice_period: { type: ['string', 'null'] },
    })
    expect(fillSchema(schema, CV)).toEqual({ availability: '2 weeks', relocation: false, notice_period: null })
    const recipe = 'Pancakes\nServings: 4\n\nAbout\nA breakfast.\n\nINGREDIENTS\n- Flour\n- Milk\n'
    const recipeSchema = object({ servings: { type: 'integer' }, ingredients: { type: 'array', items: string_ } })
    expect(fillSchema(recipeSchema, recipe)).toEqual({ servings: 4, ingredients: ['Flour', 'Milk'] })
  })

  test('resolves $ref, anyOf and allOf', () => {
    const schema = {
      ...object({ who: { $ref: '#/$defs/person' } }),
      $defs: {
        person: { allOf: [object({ name: string_ }), object({ email: { anyOf: [string_, { type: 'null' }] } })] },
      },
    }
    expect(fillSchema(schema, CV)).toEqual({ who: { name: 'Juno Halvard', email: 'juno@halvard.example' } })
  })

  test('respects enums, formats, bounds and required properties', () => {
    const posting = 'Junior Cook\nVollzeit\n\nRequirements\n- A knife.\n- A hat.\n- A spoon.\n'
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        employment_type: { enum: ['PART-TIME', 'FULL-TIME'] },
        seniority: { enum: ['Expert', 'Beginner (junior)', null] },
        requirements: { type: 'array', items: string_, maxItems: 2 },
        salary: { type: 'object', properties: { min: { type: 'number' } } },
        email: string_,
      },
      required: ['employment_type'],
    }
    expect(fillSchema(schema, posting)).toEqual({
      employment_type: 'FULL-TIME',
      seniority: 'Beginner (junior)',
      requirements: ['A knife.', 'A hat.'],
      salary: {},
    })
    const dated = object({ jobs: { type: 'array', items: object({ start: { type: 'string', format: 'date' } }) } })
    expect(fillSchema(dated, CV)).toEqual({ jobs: [{ start: '2020-03-01' }] })
  })

  test('invents nothing: values missing from the text are null, empty or left out', () => {
    const schema = object({ name: { type: ['string', 'null'] }, skills: { type: 'array', items: string_ } })
    expect(fillSchema(schema, 'nothing of that kind')).toEqual({ name: null, skills: [] })
    expect(fillSchema({ type: 'object', properties: { name: string_ } }, '')).toEqual({})
  })

  test('terminates on a schema that refers to itself', () => {
    const schema = { ...object({ child: { $ref: '#' } }), required: [] }
    expect(() => fillSchema(schema, CV)).not.toThrow()
    expect(() => fillSchema({ $ref: '#' }, CV)).not.toThrow()
    const wide = object(Object.fromEntries(Array.from('abcdefghij', (name) => [name, { $ref: '#' }])))
    expect(JSON.stringify(fillSchema(wide, CV)).length).toBeLessThan(1_000_000)
  })
})
