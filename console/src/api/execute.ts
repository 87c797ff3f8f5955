import type { TypedDocumentString } from '../graphql/generated.ts'
import { ApiError, statusWords } from './apiError.ts'
import { send } from './send.ts'

/** Operations in progress, by name and variables. */
const underWay = new Map<string, Promise<unknown>>()

/** The backend gives up a change of a subscription after two minutes. */
const CHANGE_MS_MAX = 150_000

type GraphqlAnswer<Result> = {
  readonly data?: Result | null
  readonly errors?: readonly GraphqlError[]
}

type GraphqlError = {
  readonly message: string
  /** Begins with the field of the operation that failed. */
  readonly path?: readonly (string | number)[]
  readonly extensions?: { readonly code?: string; readonly reason?: string }
}

/**
 * Executes one GraphQL operation and throws the first error of the answer as an `ApiError`. A mutation that is in progress is
 * not sent a second time.
 */
export function execute<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  const operation = { query: document.toString(), variables }
  const isChange = /^\s*mutation\b/.test(operation.query)
  return isChange ? joined(JSON.stringify(operation), () => sent(operation, CHANGE_MS_MAX)) : sent(operation)
}

type Operation = { readonly query: string; readonly variables: unknown }

async function sent<Result>(operation: Operation, answerMsMax?: number): Promise<Result> {
  const { status, requestId, body } = await send('POST', '/graphql', operation, answerMsMax)
  const { data, errors } = (body ?? {}) as GraphqlAnswer<Result>
  const error = errors?.[0]
  if (error) throw new ApiError(wordsOf(error), error.extensions?.code ?? `HTTP_${status}`, requestId)
  if (!data) throw new ApiError(statusWords(status), `HTTP_${status}`, requestId)
  return data
}

/** The message of an error without the name of the operation, which users of the console do not know. */
export function wordsOf({ message, path, extensions }: GraphqlError): string {
  if (extensions?.reason === 'COMPANY_SUSPENDED') {
    return 'The company is suspended, so this is refused. Its owner has the reason by mail.'
  }
  const field = path?.[0]
  return sentence(typeof field === 'string' ? message.replaceAll(new RegExp(`\\b${field}\\b`, 'g'), 'this') : message)
}

/** Messages of the API begin in lower case and end without a full stop. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/**
 * Runs the same work only once at a time; later callers get the result of the one in progress. A button turns busy only a
 * moment after it is pressed, so a double click presses it twice.
 */
export function joined<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const known = underWay.get(what) as Promise<Result> | undefined
  if (known) return known
  const begun = work().finally(() => underWay.delete(what))
  underWay.set(what, begun)
  return begun
}
