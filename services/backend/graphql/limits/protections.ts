import { costLimitPlugin } from '@escape.tech/graphql-armor-cost-limit'
import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases'
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth'
import {
  type GraphQLError,
  parse,
  type Source,
  type ValidationContext,
  type validate as validateDocument,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { apiError } from '../apiError.ts'

export const GRAPHQL_TOKENS_MAX = 2_000
export const GRAPHQL_DEPTH_MAX = 8
export const GRAPHQL_ALIASES_MAX = 30
export const GRAPHQL_COST_MAX = 20_000
/** Each error about a name searches for similar names, and a client needs only the first few. */
const GRAPHQL_ERRORS_MAX = 10

/** Reported like any other validation error, instead of thrown in the middle of the validation. */
const reported = {
  propagateOnRejection: false,
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
}

const NESTED_TOO_DEEPLY = apiError('BAD_USER_INPUT', 'the document is nested too deeply')

/** The library's own parser counts tokens; documents carry the number as `tokenCount`. */
const limitTokens: Plugin = {
  onParse: ({ setParseFn }) => {
    setParseFn((source: string | Source) => {
      try {
        return parse(source, { maxTokens: GRAPHQL_TOKENS_MAX })
      } catch (error) {
        // The parser calls itself for each level; fewer levels than tokens are allowed exhaust the stack.
        throw error instanceof RangeError ? NESTED_TOO_DEEPLY : error
      }
    })
  },
}

const limitErrors: Plugin = {
  onValidate: ({ validateFn, setValidationFn }) => {
    const validate = validateFn as typeof validateDocument
    setValidationFn(((schema, document, rules, options) =>
      validate(schema, document, rules, { ...options, maxErrors: GRAPHQL_ERRORS_MAX })) as typeof validateDocument)
  },
}

/** Limits of one operation. Introspection is allowed. */
export function protections() {
  return [
    limitTokens,
    limitErrors,
    maxDepthPlugin({ n: GRAPHQL_DEPTH_MAX, flattenFragments: true, ...reported }),
    maxAliasesPlugin({ n: GRAPHQL_ALIASES_MAX, ...reported }),
    costLimitPlugin({ maxCost: GRAPHQL_COST_MAX, flattenFragments: true, ...reported }),
  ]
}
