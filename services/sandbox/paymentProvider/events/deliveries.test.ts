import Stripe from 'stripe'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  type PaymentEventReceiver,
  press,
  startPaymentEventReceiver,
  stripeClient,
} from '../../../../test/support/harness/paymentSandboxClient.ts'
import { startTestSandbox } from '../../../../test/support/harness/sandbox.ts'
import { ManualClock } from '../../../../test/support/time/manualClock.ts'
import { until } from '../../../../test/support/time/until.ts'
import { PAYMENT_DELIVERY_ATTEMPTS_MAX, signatureOf } from './deliveries.ts'

let clock: ManualClock
let backend: PaymentEventReceiver
let stripe: Stripe
let url: string

beforeEach(async () => {
  clock = new ManualClock()
  backend = await startPaymentEventReceiver()
  const sandbox = await startTestSandbox({ backendPort: backend.port, clock })
  stripe = stripeClient(sandbox.url)
  url = sandbox.url
  return async () => {
    await sandbox.close()
    await backend.close()
  }
})

/** Makes a payment, which emits one event. */
async function pay(): Promise<string> {
  const product = await stripe.products.create({ name: 'Pack' })
  const price = await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 500 })
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price: price.id, quantity: 1 }],
  })
  await press(session.url ?? '', 'pay')
  return session.id
}

/** The rows of the dashboard's delivery table: attempts, last answer, status. */
async function shownDeliveries(): Promise<string[]> {
  const page = await (await fetch(`${url}/payments`)).text()
  return [...page.matchAll(/<td>(\d+)<\/td><td class="soft">([^<]*)<\/td><td><span class="badge \w*">([\w ]+)</g)].map(
    ([, attempts, answer, status]) => `${attempts} ${answer} ${status}`,
  )
}

async function shows(row: string): Promise<void> {
  await until(`the dashboard shows ${row}`, async () => (await shownDeliveries()).includes(row))
}

test('an event is delivered signed and whole, in the API version 2023-10-16', async () => {
  const id = await pay()
  const [object] = await backend.objects('checkout.session.completed')
  expect(object?.id).toBe(id)
  expect(backend.delivered[0]).toMatchObject({
    path: '/payments/webhook',
    event: {
      id: expect.stringMatching(/^evt_/),
      object: 'event',
      api_version: '2023-10-16',
      created: clock.now() / 1000,
      livemode: false,
      type: 'checkout.session.completed',
    },
  })
  expect(await stripe.events.retrieve(backend.delivered[0]?.event.id ?? '')).toMatchObject(
    backend.delivered[0]?.event ?? {},
  )
  await shows('1 HTTP 200 delivered')
})

test('the signature equals the one that the SDK computes for the same body, secret and time', () => {
  const [payload, secret, timestamp] = ['{"id":"evt_1","é":1}', 'whsec_x', 1_700_000_000]
  const made = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  expect(signatureOf(payload, secret, timestamp)).toBe(made)
})

test('a delivery that is not acknowledged is retried with growing delays', async () => {
  backend.answerNext(500, 503, 400)
  await pay()
  await shows('1 HTTP 500, again at 00:00:01 pending')
  await clock.advance(1_000)
  await shows('2 HTTP 503, again at 00:00:03 pending')
  await clock.advance(2_000)
  await shows('3 HTTP 400, again at 00:00:07 pending')
  await clock.advance(4_000)
  await shows('4 HTTP 200 delivered')
  expect(backend.refused).toHaveLength(3)
  expect(new Set(backend.refused)).toEqual(new Set([backend.delivered[0]?.event.id]))
})

test('a retry does not start before it is due', async () => {
  backend.answerNext(500)
  await pay()
  await shows('1 HTTP 500, again at 00:00:01 pending')
  await clock.advance(999)
  // A second event wakes the sender and is delivered before the retry of the first.
  await pay()
  await backend.objects('checkout.session.completed')
  await shows('1 HTTP 200 delivered')
  expect(backend.delivered).toHaveLength(1)
  await clock.advance(1)
  await backend.objects('checkout.session.completed', 2)
})

test('a delivery is given up after the last attempt and can be sent again from the dashboard', async () => {
  backend.answerNext(...Array<number>(PAYMENT_DELIVERY_ATTEMPTS_MAX).fill(500))
  await pay()
  for (let attempt = 1; attempt < PAYMENT_DELIVERY_ATTEMPTS_MAX; attempt++) {
    await until(`attempt ${attempt}`, async () =>
      (await shownDeliveries())[0]?.startsWith(`${attempt} HTTP 500, again`),
    )
    // Not beyond the next attempt, because its own time limit runs on the same clock.
    await clock.advance(Math.min(1_000 * 2 ** (attempt - 1), 60 * 60 * 1_000))
  }
  await shows(`${PAYMENT_DELIVERY_ATTEMPTS_MAX} HTTP 500 given up`)
  await clock.advance(24 * 60 * 60 * 1000)
  expect(backend.refused).toHaveLength(PAYMENT_DELIVERY_ATTEMPTS_MAX)
  const response = await fetch(`${url}/sandbox/events/${backend.refused[0]}/resend`, { method: 'POST' })
  expect(response.status).toBe(200)
  await backend.objects('checkout.session.completed')
})

test('a payment succeeds while the backend is down', async () => {
  await backend.close()
  const id = await pay()
  await shows('1 ECONNREFUSED, again at 00:00:01 pending')
  expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe('paid')
  onTestFinished(() => expect(backend.delivered).toEqual([]))
})
