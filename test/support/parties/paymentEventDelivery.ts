import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'

export const SIGNING_SECRET = 'whsec_of_the_tests'

export type ProviderEvent = {
  readonly id: string
  readonly type: string
  readonly created: number
  readonly api_version: string
  readonly data: { readonly object: Record<string, unknown> }
}

/** An event as the payment provider writes it. */
export function providerEvent(
  type: string,
  object: Record<string, unknown>,
  changes: Partial<ProviderEvent> = {},
): ProviderEvent {
  const id = `evt_${randomUUID().replaceAll('-', '')}`
  return { id, type, created: 1_772_359_200, api_version: '2023-10-16', data: { object }, ...changes }
}

/** The signature header, made with the provider's SDK. */
export function signed(payload: string, timestampSeconds: number, secret = SIGNING_SECRET): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: timestampSeconds })
}

export async function deliver(backendUrl: string, payload: string, signature: string | null) {
  const response = await fetch(`${backendUrl}/payments/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(signature === null ? {} : { 'stripe-signature': signature }) },
    body: payload,
  })
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') }
}
