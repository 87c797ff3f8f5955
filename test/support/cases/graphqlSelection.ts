import { type GraphQLField, type GraphQLObjectType, type GraphQLOutputType, getNamedType, isObjectType } from 'graphql'

/** A selection of every field of an operation's result; empty for a scalar. */
export function wholeSelection(type: GraphQLOutputType): string {
  const named = getNamedType(type)
  if (!isObjectType(named)) return ''
  const fields = Object.values(named.getFields()).map((field) => `${field.name} ${wholeSelection(field.type)}`)
  return `{ ${fields.join(' ')} }`
}

export type RootField = {
  readonly kind: 'query' | 'mutation' | 'subscription'
  readonly field: GraphQLField<unknown, unknown>
}

/** The operation with all its fields, and these arguments. */
export function wholeOperation({ kind, field }: RootField, args = ''): string {
  return `${kind} { ${field.name}${args && `(${args})`} ${wholeSelection(field.type)} }`
}

export function rootFieldsOf(types: readonly GraphQLObjectType[]): Map<string, RootField> {
  const kinds: Record<string, RootField['kind']> = {
    Query: 'query',
    Mutation: 'mutation',
    SubscriptionRoot: 'subscription',
  }
  return new Map(
    types.flatMap((type) =>
      Object.values(type.getFields()).map((field) => {
        const kind = kinds[type.name]
        if (!kind) throw new Error(`${type.name} is no root type that is known here`)
        return [field.name, { kind, field }] as const
      }),
    ),
  )
}
