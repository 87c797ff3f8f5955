import { type DocumentNode, type GraphQLError, Kind, visit } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { apiError } from '../apiError.ts'

/** Levels of objects and lists in a variable or a literal. Code that walks deeper values may exhaust its stack. */
export const GRAPHQL_INPUT_DEPTH_MAX = 32

const TOO_DEEP = apiError('BAD_USER_INPUT', `the input is more than ${GRAPHQL_INPUT_DEPTH_MAX} levels deep`)
const WITH_NUL = apiError('BAD_USER_INPUT', 'the input has a text with a NUL character, which cannot be stored')
const NOT_UNICODE = apiError('BAD_USER_INPUT', 'the input has a text with a lone surrogate, which is not valid Unicode')

type Operation = { readonly document: DocumentNode; readonly variableValues?: unknown }
type Hook = { readonly args: Operation; setResultAndStopExecution(result: { errors: GraphQLError[] }): void }

/** Refuses input that the database or the event store could not keep, for every operation over any transport. */
export const inputCheck: Plugin = { onExecute: check, onSubscribe: check } as Plugin

function check({ args, setResultAndStopExecution }: Hook): void {
  const fault = literalFault(args.document) ?? valueFault(args.variableValues)
  if (fault) setResultAndStopExecution({ errors: [fault] })
}

/** Walks without recursion, because the value may be as deep as a request is long. */
function valueFault(root: unknown): GraphQLError | null {
  const left: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }]
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, depth } = next
    if (typeof value === 'string') {
      const fault = textFault(value)
      if (fault) return fault
    } else if (value instanceof Blob) {
      left.push({ value: (value as File).name, depth })
    } else if (typeof value === 'object' && value !== null) {
      // The object of all variables is not a level of its own.
      if (depth > GRAPHQL_INPUT_DEPTH_MAX) return TOO_DEEP
      for (const [name, inner] of Object.entries(value)) {
        const fault = textFault(name)
        if (fault) return fault
        left.push({ value: inner, depth: depth + 1 })
      }
    }
  }
  return null
}

function literalFault(document: DocumentNode): GraphQLError | null {
  let fault: GraphQLError | null = null
  let depth = 0
  const level = {
    enter: () => {
      if (++depth > GRAPHQL_INPUT_DEPTH_MAX) fault ??= TOO_DEEP
    },
    leave: () => {
      depth--
    },
  }
  visit(document, {
    [Kind.OBJECT]: level,
    [Kind.LIST]: level,
    [Kind.STRING]: ({ value }) => {
      fault ??= textFault(value)
    },
  })
  return fault
}

function textFault(text: string): GraphQLError | null {
  if (text.includes('\0')) return WITH_NUL
  return text.isWellFormed() ? null : NOT_UNICODE
}
