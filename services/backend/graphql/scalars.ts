import { GraphQLScalarType, Kind, type ValueNode } from 'graphql'
import { isoTime, parseTime } from '../../platform/clock/clock.ts'
import { apiError } from './apiError.ts'

/** Written with a zone, or as a date; read back in UTC with milliseconds, as everything else is. */
export const DateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  serialize: (value) => String(value),
  parseValue: readTime,
  parseLiteral: (node) => readTime(node.kind === Kind.STRING ? node.value : null),
})

export const JSONObject = new GraphQLScalarType<Record<string, unknown>, unknown>({
  name: 'JSONObject',
  serialize: (value) => value,
  parseValue: readObject,
  parseLiteral: (node, variables) => readObject(literalValue(node, variables ?? {})),
})

/** The multipart request puts the file where its variable was. */
export const Upload = new GraphQLScalarType<File, never>({
  name: 'Upload',
  serialize: () => {
    throw apiError('BAD_USER_INPUT', 'a file is sent, never received')
  },
  parseValue: (value) => {
    if (value instanceof Blob && 'name' in value) return value as File
    throw apiError(
      'BAD_USER_INPUT',
      'a file is sent as multipart/form-data, by the GraphQL multipart request specification',
    )
  },
})

function readTime(value: unknown): string {
  const ms = typeof value === 'string' ? parseTime(value) : null
  if (ms === null) throw apiError('BAD_USER_INPUT', 'a time is written in ISO 8601 with a zone, or as a date')
  return isoTime(ms)
}

function readObject(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw apiError('BAD_USER_INPUT', 'a JSON object is expected')
}

function literalValue(node: ValueNode, variables: Record<string, unknown>): unknown {
  switch (node.kind) {
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, literalValue(value, variables)]))
    case Kind.LIST:
      return node.values.map((value) => literalValue(value, variables))
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value)
    case Kind.NULL:
      return null
    case Kind.VARIABLE:
      return variables[node.name.value]
    default:
      return node.value
  }
}
