import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import { networkAgent } from '../../platform/http/networkAgent.ts'
import type { Network } from '../../platform/network.ts'
import { inStep } from '../../platform/tracing/activeSpan.ts'

type Answer = Awaited<ReturnType<Stripe.HttpClient['makeRequest']>>

/** The SDK's own client. Inside a span, each request to the payment provider is a step, without its ids. */
export function tracedHttpClient(network?: Network): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient(network && networkAgent(network))
  const makeRequest = client.makeRequest.bind(client)
  client.makeRequest = (...request) => {
    const [, , path, method] = request
    const attributes = { 'http.request.method': method }
    return inStep(`payment ${method} ${kindOf(path)}`, { kind: 'client', attributes }, async (span) => {
      const answer = await wholeAnswer(await makeRequest(...request))
      span?.set({ 'http.response.status_code': answer.getStatusCode() })
      if (answer.getStatusCode() >= 400) span?.fail(String(answer.getStatusCode()))
      return answer
    })
  }
  return client
}

/**
 * The answer once its body has arrived. The SDK itself reads bodies without noticing that a connection breaks or times out
 * meanwhile, and would then wait forever; here, such a request fails and is repeated like any other that was not answered.
 */
async function wholeAnswer(answer: Answer): Promise<Answer> {
  const body = await text(answer.getRawResponse() as Readable)
  answer.toJSON = async () => JSON.parse(body)
  return answer
}

/** `/v1/subscriptions/sub_1?expand=…` is about subscriptions. */
function kindOf(path: string): string {
  return /^\/v\d\/([a-z_]+)/.exec(path)?.[1] ?? 'request'
}
