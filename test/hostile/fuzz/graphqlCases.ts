import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql'
import { headOf, lengthOf, type Piece, type WireCase } from '../wireCase.ts'
import { mutated } from './documents.ts'
import { anyText, repeated } from './hostileValues.ts'

const SCHEMA = buildSchema(
  readFileSync(join(import.meta.dirname, '..', '..', '..', 'contracts', 'graphql', 'schema.graphql'), 'utf8'),
)
const DEPTH_MAX = 9
/** These would revoke the attacker's own credentials, or the demo's. */
const SPARED = new Set(['changePassword', 'eraseUser', 'eraseCompany', 'revokeApiKey', 'rotateApiKey'])

function rootFields(): { kind: string; field: GraphQLField<unknown, unknown> }[] {
  const roots = { query: SCHEMA.getQueryType(), mutation: SCHEMA.getMutationType() }
  return Object.entries(roots).flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {})
      .filter(({ name }) => !SPARED.has(name))
      .map((field) => ({ kind, field })),
  )
}

const scalar = fc.oneof(
  anyText.map((text) => JSON.stringify(text.toWellFormed())),
  fc.constantFrom(
    'null',
    '0',
    '-1',
    '1e400',
    '99999999999',
    'true',
    'SOME_ENUM',
    '$v',
    '"""a"""',
    '{}',
    '[]',
    '[[[]]]',
  ),
)

/** A literal of a scalar, mostly of the right type. */
function scalarOf(name: string): fc.Arbitrary<string> {
  const right: fc.Arbitrary<string> =
    name === 'Int' || name === 'Float'
      ? fc.oneof(fc.constantFrom('1', '0', '-1', '100', '2147483647'), fc.integer().map(String))
      : name === 'Boolean'
        ? fc.constantFrom('true', 'false')
        : anyText.map((text) => JSON.stringify(text.toWellFormed()))
  return fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: scalar })
}

/** A literal of about the right type. */
function literal(type: GraphQLInputType, depth: number): fc.Arbitrary<string> {
  const bare = getNullableType(type)
  if (depth > 4) return scalar
  if (isListType(bare)) {
    return fc.array(literal(bare.ofType as GraphQLInputType, depth + 1), { maxLength: 3 }).map((items) => `[${items}]`)
  }
  if (isEnumType(bare)) return fc.oneof(fc.constantFrom(...bare.getValues().map(({ name }) => name)), scalar)
  if (isInputObjectType(bare)) {
    const fields = Object.values(bare.getFields()).map((field) =>
      literal(field.type, depth + 1).map((value) => `${field.name}: ${value}`),
    )
    return fc.oneof(
      { weight: 4, arbitrary: fc.tuple(...fields).map((all) => `{ ${all.join(' ')} }`) },
      { weight: 1, arbitrary: scalar },
    )
  }
  return scalarOf(getNamedType(type).name)
}

function selection(field: GraphQLField<unknown, unknown>, depth: number): fc.Arbitrary<string> {
  const args = field.args.map((arg) => literal(arg.type, 0).map((value) => `${arg.name}: ${value}`))
  const given = fc.tuple(...args).map((all) => (all.length === 0 ? '' : `(${all.join(', ')})`))
  const named = getNamedType(field.type)
  const inner =
    isObjectType(named) && depth < DEPTH_MAX ? subselection(Object.values(named.getFields()), depth) : fc.constant('')
  const alias = fc.constantFrom('', '', 'a: ', '__typename: ')
  return fc.tuple(alias, given, inner).map(([prefix, list, nested]) => `${prefix}${field.name}${list} ${nested}`)
}

function subselection(fields: readonly GraphQLField<unknown, unknown>[], depth: number): fc.Arbitrary<string> {
  const chosen = fc.constantFrom(...fields).chain((field) => selection(field, depth + 1))
  return fc.array(chosen, { minLength: 1, maxLength: 3 }).map((parts) => `{ ${parts.join(' ')} }`)
}

const operation = fc
  .constantFrom(...rootFields())
  .chain(({ kind, field }) =>
    selection(field, 0).map((text) => `${kind} O${text.includes('$v') ? '($v: String)' : ''} { ${text} }`),
  )

const introspection = fc.constantFrom(
  '{ __schema { types { fields { type { ofType { ofType { name } } } } } } }',
  '{ __type(name: "Query") { fields { name args { name type { name } } } } }',
)

/** Documents whose size is in their repetition. */
const long: fc.Arbitrary<readonly Piece[]> = fc.oneof(
  repeated('__typename ', 'a: __typename ', '...F ', '{ a ', '#\n', ',').map((piece) => ['query { ', piece, ' }']),
  repeated('fragment F on Query { ...F } ', 'query A { a } ', 'extend type A ', '@a ').map((piece) => [
    'query { a } ',
    piece,
  ]),
  repeated('a', 'é', '\\u0000').map((piece) => ['query { whoAmI(a: "', piece, '") { id } }']),
  repeated('[', '{a:').map((piece) => ['query { whoAmI(a: ', piece, ') { id } }']),
)

const textDocument = fc.oneof({ weight: 5, arbitrary: operation }, { weight: 1, arbitrary: introspection })

function asBody(document: readonly Piece[]): readonly Piece[] {
  const escaped = document.map((piece) => {
    if (typeof piece === 'string') return JSON.stringify(piece).slice(1, -1)
    return 'repeat' in piece ? { ...piece, repeat: JSON.stringify(piece.repeat).slice(1, -1) } : piece
  })
  return ['{"query":"', ...escaped, '"}']
}

const envelope = textDocument.chain((query) =>
  mutated(
    fc.record({ query: fc.constant(query), variables: fc.constant({ v: 'a' }), operationName: fc.constant('O') }),
  ),
)
const batch = fc
  .array(textDocument, { maxLength: 12 })
  .map((queries): readonly Piece[] => [JSON.stringify(queries.map((query) => ({ query })))])

export const graphqlBody: fc.Arbitrary<readonly Piece[]> = fc.oneof(
  { weight: 4, arbitrary: textDocument.map((text) => asBody([text])) },
  { weight: 3, arbitrary: envelope },
  { weight: 2, arbitrary: long.map(asBody) },
  { weight: 1, arbitrary: batch },
)

/** Operations of the schema, whole and broken, alone and in batches, with a token and without. */
export function graphqlCases(): fc.Arbitrary<WireCase> {
  const accept = fc.constantFrom(
    'application/json',
    'multipart/mixed',
    'text/event-stream',
    'application/graphql-response+json',
  )
  return fc.tuple(graphqlBody, fc.boolean(), accept).map(([body, isSignedIn, accepted]) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': lengthOf(body),
      accept: accepted,
      authorization: isSignedIn ? 'Bearer {{admin}}' : null,
    }
    return {
      name: 'backend POST /graphql: a generated operation',
      service: 'backend',
      head: headOf('POST', '/graphql', { headers }),
      body,
    }
  })
}
