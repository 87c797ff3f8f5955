import type { TypedDocumentString } from '../graphql/generated.ts'
import { ApiError, statusWords } from './apiError.ts'
import { send } from './send.ts'

type GraphqlAnswer<Result> = {
  readonly data?: Result | null
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[]
}

/** Executes one GraphQL operation. The first error of the answer is thrown as an `ApiError`. */
export async function execute<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  const { status, requestId, body } = await send('POST', '/graphql', { query: document.toString(), variables })
  const { data, errors } = (body ?? {}) as GraphqlAnswer<Result>
  const error = errors?.[0]
  if (error) throw new ApiError(sentence(error.message), error.extensions?.code ?? `HTTP_${status}`, requestId)
  if (!data) throw new ApiError(statusWords(status), `HTTP_${status}`, requestId)
  return data
}

/** Messages of the API begin in lower case and end without a full stop. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
