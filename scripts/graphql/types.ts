import { readFileSync } from 'node:fs'
import { codegen } from '@graphql-codegen/core'
import * as typescript from '@graphql-codegen/typescript'
import { type GraphQLField, type GraphQLObjectType, type GraphQLSchema, parse } from 'graphql'
import { SDL, TYPES_CONFIG } from './schemaText.ts'

export const GENERATED = new URL('../../services/backend/graphql/generated.ts', import.meta.url)

const HEADER = `// Made from contracts/graphql/schema.graphql by \`npm run graphql:types\`; not edited by hand.
import type { Resolver, Subscriber, WithDefaults } from './resolver.ts';`

/** The TypeScript types of the GraphQL schema and of its resolvers. */
export async function graphqlTypes(): Promise<string> {
  return codegen({
    filename: GENERATED.pathname,
    schema: parse(readFileSync(SDL, 'utf8')),
    documents: [],
    plugins: [{ header: {} }, { typescript: {} }, { resolvers: {} }],
    pluginMap: { header: { plugin: () => HEADER }, typescript, resolvers: { plugin: resolversType } },
    config: TYPES_CONFIG,
  })
}

/** Only the operations have resolvers. */
function resolversType(schema: GraphQLSchema): string {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const types = roots.flatMap((type) => (type ? [rootResolvers(type, type === roots[2])] : []))
  return `export type Resolvers = {\n${types.join('')}};\n`
}

function rootResolvers(type: GraphQLObjectType, isSubscription: boolean): string {
  const fields = Object.values(type.getFields()).map((field) => {
    const types = `${type.name}['${field.name}'], ${argsOf(type, field)}`
    return `    readonly ${field.name}?: ${isSubscription ? `Subscriber<'${field.name}', ${types}>` : `Resolver<${types}>`};\n`
  })
  return `  readonly ${type.name}?: {\n${fields.join('')}  };\n`
}

function argsOf(type: GraphQLObjectType, { name, args }: GraphQLField<unknown, unknown>): string {
  if (args.length === 0) return 'object'
  const own = `${type.name}${name.charAt(0).toUpperCase()}${name.slice(1)}Args`
  const defaulted = args.filter(({ defaultValue }) => defaultValue !== undefined).map((arg) => `'${arg.name}'`)
  return defaulted.length === 0 ? own : `WithDefaults<${own}, ${defaulted.join(' | ')}>`
}
