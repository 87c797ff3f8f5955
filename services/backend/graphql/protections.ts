import { costLimitPlugin } from '@escape.tech/graphql-armor-cost-limit'
import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases'
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth'
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens'
import type { GraphQLError, ValidationContext } from 'graphql'

export const GRAPHQL_TOKENS_MAX = 2_000
export const GRAPHQL_DEPTH_MAX = 8
export const GRAPHQL_ALIASES_MAX = 30
export const GRAPHQL_COST_MAX = 20_000

/** Reported like any other validation error, instead of thrown in the middle of the validation. */
const reported = {
  propagateOnRejection: false,
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
}

/** Limits of one operation. Introspection is allowed. */
export function protections() {
  return [
    maxTokensPlugin({ n: GRAPHQL_TOKENS_MAX }),
    maxDepthPlugin({ n: GRAPHQL_DEPTH_MAX, flattenFragments: true, ...reported }),
    maxAliasesPlugin({ n: GRAPHQL_ALIASES_MAX, ...reported }),
    costLimitPlugin({ maxCost: GRAPHQL_COST_MAX, flattenFragments: true, ...reported }),
  ]
}
