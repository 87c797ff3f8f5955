import { createHmac, randomUUID } from 'node:crypto'

export type Delivery = { readonly body: string; readonly signature: string }

/** A paid checkout, signed like the provider's and about the size of a real one. */
export function paidCheckout(purchaseId: string, userId: string, secret: string): Delivery {
  const seconds = Math.floor(Date.now() / 1_000)
  const body = JSON.stringify({
    id: `evt_${randomUUID().replaceAll('-', '')}`,
    object: 'event',
    api_version: '2023-10-16',
    created: seconds,
    type: 'checkout.session.completed',
    data: {
      object: {
        id: `cs_${purchaseId}`,
        object: 'checkout.session',
        mode: 'payment',
        payment_status: 'paid',
        payment_intent: `pi_${purchaseId}`,
        amount_total: 1_000,
        currency: 'usd',
        invoice: null,
        metadata: { purchaseId, userId },
        customer_details: { email: 'buyer@example.com', name: 'A. Buyer', address: { country: 'CH' } },
        success_url: `https://shop.example/${'x'.repeat(1_500)}`,
      },
    },
    pending_webhooks: 1,
  })
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return { body, signature: `t=${seconds},v1=${signature}` }
}

export async function deliver(backendUrl: string, { body, signature }: Delivery): Promise<void> {
  const response = await fetch(`${backendUrl}/payments/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body,
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`a delivery was answered with status ${response.status}: ${text}`)
}
