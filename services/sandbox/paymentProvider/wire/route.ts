import type { ProviderContext } from '../providerContext.ts'
import type { Wire, WireList } from '../state/records.ts'
import type { Form } from './formBody.ts'
import type { PaymentApiError } from './paymentApiError.ts'

/** One operation of the payment API, run within a transaction. */
export type ApiRoute = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `:id` stands for one segment. */
  readonly path: string
  /** A refusal that is thrown leaves nothing behind; one that is returned leaves what led to it. */
  handle(context: ProviderContext, params: Form, id: string): Wire | WireList<unknown> | PaymentApiError
}

export type FoundRoute = { readonly route: ApiRoute; readonly id: string }

export function findRoute(routes: readonly ApiRoute[], method: string, path: string): FoundRoute | null {
  const given = path.split('/')
  for (const route of routes) {
    const wanted = route.path.split('/')
    if (route.method !== method || wanted.length !== given.length) continue
    if (wanted.every((segment, at) => (segment === ':id' ? given[at] !== '' : segment === given[at]))) {
      return { route, id: decoded(given[wanted.indexOf(':id')] ?? '') }
    }
  }
  return null
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
