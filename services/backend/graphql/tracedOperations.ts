import { type ExecutionArgs, type ExecutionResult, getOperationAST } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { activeSpan, inSpan } from '../../../platform/tracing/activeSpan.ts'
import type { Tracing } from '../../../platform/tracing/port.ts'

/** The part of an operation's name that traces keep; its text and variables are in none. */
const NAME_CHARS_MAX = 64

/**
 * A span for each query and mutation: a step of its HTTP request, or the first of a trace over a socket. Subscriptions have
 * none, because they last for hours.
 */
export function tracedOperations(tracing: Tracing): Plugin {
  return {
    onExecute: ({ args, executeFn, setExecuteFn }) => {
      const { type, name } = described(args)
      const kind = activeSpan() ? 'internal' : 'server'
      const attributes = { 'graphql.operation.type': type, 'graphql.operation.name': name }
      setExecuteFn((given: ExecutionArgs) =>
        inSpan(tracing, name === undefined ? type : `${type} ${name}`, { kind, attributes }, async (span) => {
          const result = (await executeFn(given)) as ExecutionResult
          const [error] = result.errors ?? []
          if (error) span?.fail(String(error.extensions.code ?? 'error'))
          return result
        }),
      )
    },
  }
}

function described({ document, operationName }: Pick<ExecutionArgs, 'document' | 'operationName'>) {
  const operation = getOperationAST(document, operationName)
  return { type: operation?.operation ?? 'operation', name: operation?.name?.value.slice(0, NAME_CHARS_MAX) }
}
