import { GraphQLScalarType, Kind, type ValueNode } from 'graphql'
import { isoTime, parseTime } from '../../../platform/clock/clock.ts'
import { apiError } from './apiError.ts'

/** Accepts an ISO 8601 time with a zone, or a date; answers are in UTC with milliseconds. */
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

/** The multipart request specification puts the file in the place of its variable. */
export const Upload = new GraphQLScalarType<File, never>({
  name: 'Upload',
  serialize: () => {
    throw apiError('BAD_USER_INPUT', 'Upload is an input type')
  },
  parseValue: (value) => {
    if (value instanceof Blob && 'name' in value) return value as File
    throw apiError(
      'BAD_USER_INPUT',
      'send the file as multipart/form-data, by the GraphQL multipart request specification',
    )
  },
})

function readTime(value: unknown): string {
  const ms = typeof value === 'string' ? parseTime(value) : null
  if (ms === null) throw apiError('BAD_USER_INPUT', 'a time must be ISO 8601 with a zone, or a date')
  return isoTime(ms)
}

function readObject(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw apiError('BAD_USER_INPUT', 'the value must be a JSON object')
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
