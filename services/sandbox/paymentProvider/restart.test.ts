import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { press, startPaymentEventReceiver, stripeClient } from '../../../test/support/harness/paymentSandboxClient.ts'
import { startTestSandbox, type TestSandboxOptions } from '../../../test/support/harness/sandbox.ts'
import { until } from '../../../test/support/time/until.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tollgate-payments-'))
  return () => rmSync(dataDir, { recursive: true, force: true })
})

const journal = () => join(dataDir, 'sandbox-payments.jsonl')

async function start(options: TestSandboxOptions = {}) {
  const sandbox = await startTestSandbox({ dataDir, ...options })
  let isOpen = true
  const close = async () => {
    if (isOpen) await sandbox.close()
    isOpen = false
  }
  onTestFinished(close)
  return { url: sandbox.url, stripe: stripeClient(sandbox.url), close }
}

async function sell(stripe: ReturnType<typeof stripeClient>, lookup_key: string) {
  const product = await stripe.products.create({ name: 'Pack' }, { idempotencyKey: `product ${lookup_key}` })
  const price = await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 500, lookup_key })
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price: price.id, quantity: 1 }],
  })
  return { product, price, session }
}

test('products, prices, sessions and idempotency keys survive a restart', async () => {
  const first = await start()
  const { product, price, session } = await sell(first.stripe, 'pack:1')
  await first.close()
  const second = await start()
  expect((await second.stripe.products.retrieve(product.id)).name).toBe('Pack')
  expect((await second.stripe.prices.list({ lookup_keys: ['pack:1'] })).data.map(({ id }) => id)).toEqual([price.id])
  const again = await second.stripe.products.create({ name: 'Pack' }, { idempotencyKey: 'product pack:1' })
  expect(again.id).toBe(product.id)
  expect((await press(`${second.url}/checkout/${session.id}`, 'pay')).status).toBe(303)
  expect((await second.stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid')
})

test('the journal is created with the first change, readable by its owner only', async () => {
  const { stripe } = await start()
  expect(() => statSync(journal())).toThrow()
  await sell(stripe, 'pack:1')
  expect(statSync(journal()).mode & 0o777).toBe(0o600)
})

test('an incomplete last line of the journal is dropped, an invalid line before it stops the start', async () => {
  const first = await start()
  const { product } = await sell(first.stripe, 'pack:1')
  await first.close()
  appendFileSync(journal(), '[["product",{"id":"prod_half","na')
  const second = await start()
  await second.stripe.products.create({ name: 'After' })
  await second.close()
  const third = await start()
  expect((await third.stripe.products.list()).data.map(({ name }) => name)).toEqual(['After', 'Pack'])
  expect((await third.stripe.products.retrieve(product.id)).id).toBe(product.id)
  await third.close()
  appendFileSync(journal(), '{"half\n[]\n')
  await expect(start()).rejects.toThrow(/line \d+ is not valid JSON/)
})

test('a request that fails halfway changes neither state nor journal', async () => {
  const { stripe } = await start()
  const { price } = await sell(stripe, 'pack:1')
  const before = readFileSync(journal(), 'utf8')
  // The lookup key is transferred before the invalid expansion is noticed.
  const params = { product: String(price.product), currency: 'usd', unit_amount: 1, lookup_key: 'pack:1' }
  await expect(stripe.prices.create({ ...params, transfer_lookup_key: true, expand: ['nothing'] })).rejects.toThrow(
    /cannot be expanded/,
  )
  expect((await stripe.prices.list({ lookup_keys: ['pack:1'] })).data.map(({ id }) => id)).toEqual([price.id])
  expect(readFileSync(journal(), 'utf8')).toBe(before)
})

test('only events that were not delivered before a restart are delivered after it', async () => {
  const backend = await startPaymentEventReceiver()
  onTestFinished(backend.close)
  const first = await start({ backendPort: backend.port })
  const { session } = await sell(first.stripe, 'pack:1')
  await press(`${first.url}/checkout/${session.id}`, 'pay')
  await backend.objects('checkout.session.completed')
  // The acknowledgement arrives after the event: closed in between, the sandbox would rightly deliver it again.
  await until('the delivery is acknowledged', async () =>
    (await (await fetch(`${first.url}/payments`)).text()).includes('HTTP 200'),
  )
  await first.close()

  const withoutBackend = await start()
  const other = await sell(withoutBackend.stripe, 'pack:2')
  await press(`${withoutBackend.url}/checkout/${other.session.id}`, 'pay')
  await withoutBackend.close()

  backend.delivered.splice(0)
  await start({ backendPort: backend.port })
  const sessions = await backend.objects('checkout.session.completed')
  expect(sessions.map(({ id }) => id)).toEqual([other.session.id])
})
