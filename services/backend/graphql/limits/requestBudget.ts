import { type DocumentNode, type GraphQLSchema, getIntrospectionQuery, Kind, parse, visit } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { apiError } from '../apiError.ts'
import type { Arrival } from '../context.ts'
import { introspectionCost, listLengths } from './introspectionCost.ts'
import { GRAPHQL_TOKENS_MAX } from './protections.ts'

/** One standard introspection query always passes, with every option that clients use. */
const STANDARD_INTROSPECTION = getIntrospectionQuery({
  descriptions: true,
  directiveIsRepeatable: true,
  inputValueDeprecation: true,
  oneOf: true,
  schemaDescription: true,
  specifiedByUrl: true,
})

const TOO_MANY_TOKENS = apiError(
  'BAD_USER_INPUT',
  `the operations of one request have more than ${GRAPHQL_TOKENS_MAX} tokens`,
)
const TOO_MUCH_INTROSPECTION = apiError(
  'BAD_USER_INPUT',
  'one request may introspect as much as one standard introspection query',
)

const TOO_REPETITIVE = apiError('BAD_USER_INPUT', 'the operations of one request repeat the same fields too often')

/** One name 200 times, or 44 names 30 times each: far more than clients write within the limit of tokens. */
const GRAPHQL_REPETITION_MAX = 40_000

type Budget = { tokensLeft: number; repetitionLeft: number; introspectionLeft: number }

function tooRepetitive(budget: Budget, document: DocumentNode): typeof TOO_REPETITIVE | null {
  budget.repetitionLeft -= fieldRepetition(document)
  return budget.repetitionLeft < 0 ? TOO_REPETITIVE : null
}

/**
 * What the operations of one request may use together, so that a batch does not multiply the limits of one operation.
 * Tokens are counted before the validation, which takes time for long documents; Yoga caches its result, so that this
 * must not be a validation rule.
 */
export function requestBudget(schema: GraphQLSchema): Plugin {
  const lengths = listLengths(schema)
  const introspectionMax = introspectionCost(parse(STANDARD_INTROSPECTION), lengths)
  const budgets = new WeakMap<Arrival, Budget>()
  const budgetOf = (arrival: Arrival): Budget => {
    let budget = budgets.get(arrival)
    if (!budget) {
      budget = {
        tokensLeft: GRAPHQL_TOKENS_MAX,
        repetitionLeft: GRAPHQL_REPETITION_MAX,
        introspectionLeft: introspectionMax,
      }
      budgets.set(arrival, budget)
    }
    return budget
  }
  return {
    onValidate: ({ params, context, setResult }) => {
      const budget = budgetOf((context as unknown as { readonly arrival: Arrival }).arrival)
      const document = params.documentAST as DocumentNode
      budget.tokensLeft -= document.tokenCount ?? 0
      const refusal = budget.tokensLeft < 0 ? TOO_MANY_TOKENS : tooRepetitive(budget, document)
      if (refusal) {
        // Before the validation, to save its time, and after it, because a cached result replaces the first one.
        setResult([refusal])
        return (outcome) => outcome.setResult([refusal])
      }
      return ({ valid, setResult: setOutcome }) => {
        if (!valid) return
        budget.introspectionLeft -= introspectionCost(document, lengths)
        if (budget.introspectionLeft >= 0) return
        setOutcome([TOO_MUCH_INTROSPECTION])
      }
    },
  }
}

/**
 * How much a document repeats its fields: the sum of the squares of how often each response name occurs. The validation
 * compares every two fields of the same name that may meet in the answer, so that this bounds its time.
 */
function fieldRepetition(document: DocumentNode): number {
  const counts = new Map<string, number>()
  visit(document, {
    [Kind.FIELD]: ({ alias, name }) => {
      const shown = (alias ?? name).value
      counts.set(shown, (counts.get(shown) ?? 0) + 1)
    },
  })
  let sum = 0
  for (const count of counts.values()) sum += count * count
  return sum
}
