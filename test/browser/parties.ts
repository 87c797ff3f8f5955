import { expect } from 'vitest'
import { call } from '../support/harness/gatewayClient.ts'
import type { Demo } from '../support/harness/installation.ts'

/** Sends a GraphQL operation, for what a journey needs and another one shows. */
// biome-ignore lint/suspicious/noExplicitAny: each operation has its own answer.
export async function ask({ backendUrl }: Demo, key: string, query: string, variables: object = {}): Promise<any> {
  const { status, json } = await call(backendUrl, '/graphql', { key, body: { query, variables } })
  expect({ query, status, errors: json.errors }).toEqual({ query, status: 200, errors: undefined })
  return json.data
}

/** What people do in the dashboard of the payment provider. */
export function sandboxControl({ sandboxUrl }: Demo) {
  return async (path: string, fields: object = {}): Promise<{ readonly id: string }> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(fields) }
    const answer = await fetch(`${sandboxUrl}/sandbox/${path}`, init)
    expect({ path, status: answer.status }).toEqual({ path, status: 200 })
    return (await answer.json()) as { readonly id: string }
  }
}
