import http from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { until } from '../time/until.ts'

export const WEBHOOK_SECRET = 'whsec_of_the_tests'

/** Our client of the payment provider, configured for the sandbox. */
export function stripeClient(url: string): Stripe {
  const { hostname, port } = new URL(url)
  return new Stripe('sk_test_of_the_tests', {
    apiVersion: '2023-10-16',
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  })
}

export type Delivered = { readonly event: Stripe.Event; readonly path: string; readonly atMs: number }

export type PaymentEventReceiver = Awaited<ReturnType<typeof startPaymentEventReceiver>>

/** A server in place of the backend: checks signatures with the SDK and answers as a test sets it. */
export async function startPaymentEventReceiver() {
  const delivered: Delivered[] = []
  const refused: string[] = []
  const answers: number[] = []
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const status = answers.shift() ?? 200
    try {
      const signature = request.headers['stripe-signature'] ?? ''
      // The sandbox of a test may have another clock, so the age of signatures is not checked.
      const event = Stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, WEBHOOK_SECRET, 1e12)
      if (status === 200) delivered.push({ event, path: request.url ?? '', atMs: Date.now() })
      else refused.push(event.id)
      response.writeHead(status).end()
    } catch (error) {
      refused.push(String(error))
      response.writeHead(400).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    delivered,
    refused,
    /** The statuses of the next requests, one each; 200 afterwards. */
    answerNext: (...statuses: number[]) => void answers.push(...statuses),
    types: () => delivered.map(({ event }) => event.type),
    /** The objects of all events of a type, once this many have arrived. */
    async objects<Type extends Stripe.Event.Type>(type: Type, count = 1) {
      type Of = Extract<Stripe.Event, { type: Type }>
      const of = () => delivered.map(({ event }) => event).filter((event): event is Of => event.type === type)
      await until(
        `${count} × ${type} (there is: ${delivered.map(({ event }) => event.type)})`,
        () => of().length >= count,
      )
      return of().map((event) => event.data.object as Of['data']['object'])
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Submits the form of the checkout page like a browser. */
export function press(url: string, outcome: 'pay' | 'decline'): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', origin: new URL(url).origin },
    body: new URLSearchParams({ outcome }),
  })
}
