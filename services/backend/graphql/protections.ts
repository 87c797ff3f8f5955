import { costLimitPlugin } from '@escape.tech/graphql-armor-cost-limit'
import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases'
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth'
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens'
import type { GraphQLError, ValidationContext } from 'graphql'
import { LIMITS } from '../../../contracts/limits.ts'

/** Told like any other fault of a query, instead of thrown in the middle of the validation. */
const reported = {
  propagateOnRejection: false,
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
}

/** What one operation may ask for. Introspection is as open as the rest. */
export function protections() {
  return [
    maxTokensPlugin({ n: LIMITS.graphqlTokensMax }),
    maxDepthPlugin({ n: LIMITS.graphqlDepthMax, flattenFragments: true, ...reported }),
    maxAliasesPlugin({ n: LIMITS.graphqlAliasesMax, ...reported }),
    costLimitPlugin({ maxCost: LIMITS.graphqlCostMax, flattenFragments: true, ...reported }),
  ]
}
