import { readFileSync } from 'node:fs'
import { codegen } from '@graphql-codegen/core'
import * as typescript from '@graphql-codegen/typescript'
import * as resolvers from '@graphql-codegen/typescript-resolvers'
import { parse } from 'graphql'
import { SDL, TYPES_CONFIG } from './schemaText.ts'

export const GENERATED = new URL('../../services/backend/graphql/generated.ts', import.meta.url)

/** The TypeScript types of the GraphQL schema and of its resolvers. */
export async function graphqlTypes(): Promise<string> {
  return codegen({
    filename: GENERATED.pathname,
    schema: parse(readFileSync(SDL, 'utf8')),
    documents: [],
    plugins: [{ add: {} }, { typescript: {} }, { resolvers: {} }],
    pluginMap: {
      add: {
        plugin: () => '// Made from contracts/graphql/schema.graphql by `npm run graphql:types`; not edited by hand.',
      },
      typescript,
      resolvers,
    },
    config: {
      ...TYPES_CONFIG,
      contextType: './context.ts#GraphqlContext',
    },
  })
}
