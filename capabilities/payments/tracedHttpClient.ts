import Stripe from 'stripe'
import { networkAgent } from '../../platform/http/networkAgent.ts'
import type { Network } from '../../platform/network.ts'
import { inStep } from '../../platform/tracing/activeSpan.ts'

/** The SDK's own client. Inside a span, each request to the payment provider is a step, without its ids. */
export function tracedHttpClient(network?: Network): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient(network && networkAgent(network))
  const makeRequest = client.makeRequest.bind(client)
  client.makeRequest = (...request) => {
    const [, , path, method] = request
    const attributes = { 'http.request.method': method }
    return inStep(`payment ${method} ${kindOf(path)}`, { kind: 'client', attributes }, async (span) => {
      const answer = await makeRequest(...request)
      span?.set({ 'http.response.status_code': answer.getStatusCode() })
      if (answer.getStatusCode() >= 400) span?.fail(String(answer.getStatusCode()))
      return answer
    })
  }
  return client
}

/** `/v1/subscriptions/sub_1?expand=…` is about subscriptions. */
function kindOf(path: string): string {
  return /^\/v\d\/([a-z_]+)/.exec(path)?.[1] ?? 'request'
}
