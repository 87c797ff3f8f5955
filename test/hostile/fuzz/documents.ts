import fc from 'fast-check'
import type { JsonSchema } from '../undescribedBodies.ts'
import { exampleOf } from '../validRequest.ts'
import type { Piece } from '../wireCase.ts'
import { anyText, hostileJson } from './hostileValues.ts'

/** A document that the schema allows, with optional fields or without. */
export function documentOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives?.length) return fc.oneof(...alternatives.map(documentOf))
  if ('example' in schema && !schema.properties) return fc.constant(schema.example)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object': {
      const { properties = {}, required = [] } = schema
      const fields = Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, documentOf(inner)] as const),
      )
      return fc.record(fields, { requiredKeys: required.filter((name) => name in fields) })
    }
    case 'array':
      return fc.array(documentOf(schema.items ?? {}), { minLength: 1, maxLength: 4 })
    case 'integer':
      return fc.constantFrom(1, 2, 16)
    case 'number':
      return fc.constantFrom(0, 0.5, 1)
    case 'boolean':
      return fc.boolean()
    case 'string':
      return fc.oneof(fc.constant(exampleOf(schema)), anyText)
    default:
      return fc.constant(exampleOf(schema))
  }
}

/** The document as JSON with a few of its values replaced, fields repeated or their names changed. */
export function mutated(document: fc.Arbitrary<unknown>): fc.Arbitrary<readonly Piece[]> {
  return fc
    .tuple(document, fc.array(mutation, { maxLength: 3 }))
    .map(([value, mutations]) => new MutatedJson(value, mutations).pieces())
}

type Mutation = {
  /** Which value of the document, counted modulo their number. */
  readonly at: number
  readonly kind: 'replace' | 'repeat field' | 'rename field' | 'space'
  readonly pieces: readonly Piece[]
  readonly name: string
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat({ max: 1_000 }),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'repeat field', 'rename field', 'space'),
  pieces: hostileJson,
  name: anyText,
})

/** Writes JSON value by value, because JSON.stringify can write neither a repeated field nor an invalid value. */
class MutatedJson {
  readonly #value: unknown
  readonly #byPlace = new Map<number, Mutation>()
  readonly #pieces: Piece[] = []
  #text = ''
  #place = 0

  constructor(value: unknown, mutations: readonly Mutation[]) {
    this.#value = value
    const places = placesIn(value)
    for (const each of mutations) this.#byPlace.set(each.at % places, each)
  }

  pieces(): readonly Piece[] {
    this.#write(this.#value, null)
    if (this.#text !== '') this.#pieces.push(this.#text)
    return this.#pieces
  }

  #write(value: unknown, name: string | null): void {
    const found = this.#byPlace.get(this.#place++)
    const key = found?.kind === 'rename field' ? found.name : name
    if (key !== null && name !== null) this.#text += `${JSON.stringify(key)}:`
    if (found?.kind === 'space') this.#text += ' \n\t'.repeat(50)
    if (found?.kind === 'replace') this.#add(found.pieces)
    else this.#writeValue(value)
    if (found?.kind === 'repeat field' && name !== null) {
      this.#text += `,${JSON.stringify(name)}:`
      this.#add(found.pieces)
    }
  }

  #writeValue(value: unknown): void {
    if (Array.isArray(value)) {
      this.#list('[', ']', value, (item) => this.#write(item, null))
    } else if (typeof value === 'object' && value !== null) {
      this.#list('{', '}', Object.entries(value), ([name, inner]) => this.#write(inner, name))
    } else this.#text += JSON.stringify(value) ?? 'null'
  }

  #list<Item>(open: string, close: string, items: readonly Item[], write: (item: Item) => void): void {
    this.#text += open
    for (const [at, item] of items.entries()) {
      if (at > 0) this.#text += ','
      write(item)
    }
    this.#text += close
  }

  #add(pieces: readonly Piece[]): void {
    if (this.#text !== '') this.#pieces.push(this.#text)
    this.#text = ''
    this.#pieces.push(...pieces)
  }
}

function placesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, inner) => sum + placesIn(inner), 1)
}
