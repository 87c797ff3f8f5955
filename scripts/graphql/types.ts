import { readFileSync } from 'node:fs'
import { codegen } from '@graphql-codegen/core'
import * as typescript from '@graphql-codegen/typescript'
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  isListType,
  isNonNullType,
  isScalarType,
  isTypeDefinitionNode,
  parse,
} from 'graphql'
import { SDL, TYPES_CONFIG } from './schemaText.ts'

export const GENERATED = new URL('../../services/backend/graphql/generated.ts', import.meta.url)

const HEADER = `// Made from contracts/graphql/schema.graphql by \`npm run graphql:types\`; not edited by hand.
import type { Resolver, Subscriber } from './resolver.ts';`

/** The TypeScript types of the GraphQL schema and of its resolvers. */
export async function graphqlTypes(): Promise<string> {
  const text = readFileSync(SDL, 'utf8')
  const schema = buildSchema(text)
  const roots = rootsOf(schema).map(({ name }) => name)
  const document = parse(text)
  const types = document.definitions.filter(isTypeDefinitionNode)
  return codegen({
    filename: GENERATED.pathname,
    // The types of the resolvers say all about the operations.
    schema: { ...document, definitions: types.filter(({ name }) => !roots.includes(name.value)) },
    documents: [],
    plugins: [{ header: {} }, { typescript: {} }, { resolvers: {} }],
    pluginMap: {
      header: { plugin: () => HEADER },
      typescript,
      resolvers: { plugin: () => resolversType(schema) },
    },
    config: TYPES_CONFIG,
  })
}

function rootsOf(schema: GraphQLSchema): GraphQLObjectType[] {
  return [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter((type) => type != null)
}

/** Only the operations have resolvers. */
function resolversType(schema: GraphQLSchema): string {
  const types = rootsOf(schema).map((type) => rootResolvers(type, type === schema.getSubscriptionType()))
  return `export type Resolvers = {\n${types.join('')}};\n`
}

function rootResolvers(type: GraphQLObjectType, isSubscription: boolean): string {
  const fields = Object.values(type.getFields()).map((field) => {
    const types = typesOf(field)
    return `    readonly ${field.name}?: ${isSubscription ? `Subscriber<'${field.name}', ${types}>` : `Resolver<${types}>`};\n`
  })
  return `  readonly ${type.name}?: {\n${fields.join('')}  };\n`
}

function typesOf({ type, args }: GraphQLField<unknown, unknown>): string {
  return `${typeText(type, 'output')}, ${args.length === 0 ? 'object' : `{\n${args.map(argumentText).join('')}    }`}`
}

/** An argument with a default value is always set. */
function argumentText({ name, type, defaultValue }: GraphQLArgument): string {
  if (defaultValue !== undefined) return `      readonly ${name}: ${presentText(type, 'input')};\n`
  return `      readonly ${name}${isNonNullType(type) ? '' : '?'}: ${typeText(type, 'input')};\n`
}

type Direction = 'input' | 'output'

function typeText(type: GraphQLType, direction: Direction): string {
  return isNonNullType(type) ? presentText(type.ofType, direction) : `Maybe<${presentText(type, direction)}>`
}

function presentText(type: GraphQLType, direction: Direction): string {
  if (isListType(type)) return `ReadonlyArray<${typeText(type.ofType, direction)}>`
  return isScalarType(type) ? `Scalars['${type.name}']['${direction}']` : String(type)
}
