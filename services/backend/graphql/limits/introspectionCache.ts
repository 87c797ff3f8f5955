import { type DocumentNode, type ExecutionArgs, type ExecutionResult, Kind, type SelectionSetNode } from 'graphql'
import type { Plugin } from 'graphql-yoga'

/** The total of all documents and answers. The answer to the standard introspection query has about 200,000. */
export const CACHED_INTROSPECTION_CHARS_MAX = 2 * 1024 * 1024

type Answer = ExecutionResult & {
  /** Yoga sends the returned value. */
  readonly stringify: () => string
}

/**
 * Answers introspection from a cache by document: no token is needed to ask, and the schema never changes while a process
 * runs, but an answer takes several milliseconds to resolve and to write. The least recently used are evicted.
 */
export function introspectionCache(charsMax = CACHED_INTROSPECTION_CHARS_MAX): Plugin {
  const answers = new Map<string, { readonly answer: Answer; readonly chars: number }>()
  let chars = 0
  const drop = (key: string) => {
    chars -= answers.get(key)?.chars ?? 0
    answers.delete(key)
  }
  const keep = (key: string, answer: Answer, json: string) => {
    const entry = { answer, chars: key.length + json.length }
    if (entry.chars > charsMax) return
    drop(key)
    answers.set(key, entry)
    chars += entry.chars
    for (const oldest of answers.keys()) {
      if (chars <= charsMax) return
      drop(oldest)
    }
  }
  return {
    onExecute: ({ args, setResultAndStopExecution }) => {
      const key = keyOf(args as ExecutionArgs)
      const known = answers.get(key)
      if (known) {
        // A Map iterates in insertion order.
        answers.delete(key)
        answers.set(key, known)
        setResultAndStopExecution(known.answer)
        return
      }
      if (!isIntrospection(args.document)) return
      return {
        onExecuteDone: ({ result, setResult }) => {
          if (!('data' in result) || result.errors) return
          const json = JSON.stringify(result)
          const answer: Answer = { data: result.data, stringify: () => json }
          keep(key, answer, json)
          setResult(answer)
        },
      }
    },
  }
}

function keyOf({ document, operationName }: ExecutionArgs): string {
  return `${operationName ?? ''}\n${document.loc?.source.body ?? ''}`
}

/** Whether the document is one query that asks about the schema only, without variables. */
function isIntrospection({ definitions, loc }: DocumentNode): boolean {
  const fragments = new Map<string, SelectionSetNode>()
  for (const node of definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node.selectionSet)
  }
  const [operation, ...others] = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  if (!loc || operation?.operation !== 'query' || others.length > 0) return false
  if (operation.variableDefinitions?.length || operation.directives?.length) return false
  // Nested spreads in the root would have to be followed; no client writes them.
  const isAbout = ({ selections }: SelectionSetNode, mayBeSpread: boolean): boolean =>
    selections.every((node) => {
      if (node.kind === Kind.FIELD) return node.name.value.startsWith('__')
      if (!mayBeSpread) return false
      const set = node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : fragments.get(node.name.value)
      return set !== undefined && isAbout(set, false)
    })
  return isAbout(operation.selectionSet, true)
}
