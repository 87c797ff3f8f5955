import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { CommandHandler } from '../../../capabilities/commands/commandHandler.ts'
import { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import { PaymentProviderError } from '../../../capabilities/payments/paymentProvider.ts'
import type { PaymentEventBody } from '../../../capabilities/payments/providerObjects.ts'
import { ERASED } from '../../../capabilities/personalData/personalData.ts'
import type { Recorded } from '../../../contracts/envelope.ts'
import type { PaymentEventChange } from '../../../contracts/events/paymentEvent.ts'
import { streamName } from '../../../contracts/streams.ts'
import { paymentEventDecider } from '../../../domain/paymentEvent/decider.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { MemoryEventStore, unavailable } from '../../../test/support/eventStores/memoryEventStore.ts'
import { NOTHING_PERSONAL } from '../../../test/support/eventStores/nothingPersonal.ts'
import { COMPANY, PURCHASE, purchaseStarted, second } from '../../../test/support/events/billingEvents.ts'
import { anEventOf } from '../../../test/support/events/history.ts'
import { providerEvent } from '../../../test/support/parties/paymentEventDelivery.ts'
import { type ProcessingDependencies, processPaymentEvent } from './processPaymentEvent.ts'

const signal = new AbortController().signal
const bought = () =>
  providerEvent('checkout.session.completed', {
    id: 'cs_1',
    mode: 'payment',
    payment_status: 'paid',
    metadata: { purchaseId: PURCHASE },
    amount_total: 1_000,
    currency: 'usd',
    invoice: null,
  })

/** An in-memory store, a clock that stands still, and a provider with scripted answers. */
function machine(provider: Partial<ProcessingDependencies['provider']> = {}, reveal = async (text: string) => text) {
  const store = new MemoryEventStore()
  const clock = { ...systemClock, delay: async () => {} }
  const appender = new PursuingAppender(store, clock)
  const refuse = () => Promise.reject(new Error('the provider must not be asked here'))
  const silentProvider = {
    ...{ subscription: refuse, invoice: refuse, charge: refuse, dispute: refuse },
    ...{ companyOfCustomer: refuse, event: refuse },
  }
  const dependencies: ProcessingDependencies = {
    store,
    commands: new CommandHandler(store, appender, NOTHING_PERSONAL),
    ledger: new LedgerWriter(appender),
    provider: { ...silentProvider, ...provider },
    personal: { reveal },
    earlierCorrections: async () => [],
    disputesSuspend: false,
    savedPayments: { methodOf: refuse },
    clock,
    log: openLog({ level: 'silent', file: null }).log,
  }
  const receive = (event: PaymentEventBody): Recorded<PaymentEventChange> => {
    const { id: eventId, type } = event
    const about = { eventId, type, userId: null, body: JSON.stringify(event), saidAt: second(1), receivedAt: second(2) }
    const stream = streamName('webhook', eventId)
    store.write(stream, 'none', [anEventOf({ type: 'WebhookReceived', data: about }, randomUUID())])
    return store.stored(stream)[0] as Recorded<PaymentEventChange>
  }
  const startPurchase = () =>
    store.write(streamName('purchase', PURCHASE), 'none', [anEventOf(purchaseStarted(), randomUUID())])
  return {
    dependencies,
    store,
    receive,
    startPurchase,
    typesOf: (stream: string) => store.stored(stream).map(({ type }) => type),
    lastOf: (stream: string) => store.stored(stream).at(-1)?.data,
  }
}

test('a processed event records its effect, and is not processed again', async () => {
  const { dependencies, receive, startPurchase, typesOf, lastOf } = machine()
  startPurchase()
  const event = bought()
  const received = receive(event)
  const stream = `webhook-${event.id}`
  await processPaymentEvent(dependencies, received, signal)
  await processPaymentEvent(dependencies, received, signal)
  expect(typesOf(stream)).toEqual(['WebhookReceived', 'WebhookProcessed'])
  expect(lastOf(stream)).toMatchObject({ attempt: 1, effect: `purchase ${PURCHASE} is completed` })
  expect(typesOf(`ledger-${COMPANY}`)).toEqual(['CreditsGranted'])
  expect(typesOf(`invoice-purchase_${PURCHASE}`)).toEqual(['InvoicePaid'])
})

test('work that a crash interrupted is completed, and nothing is done twice', async () => {
  const { dependencies, store, receive, startPurchase, typesOf } = machine()
  startPurchase()
  const event = bought()
  const received = receive(event)
  const dying = new AbortController()
  // The purchase is completed; then the process ends before the ledger has the grant.
  const ledger = Object.assign(Object.create(dependencies.ledger) as typeof dependencies.ledger, {
    draft: dependencies.ledger.draft.bind(dependencies.ledger),
    book: () => {
      dying.abort()
      return Promise.reject(new Error('killed'))
    },
  })
  await expect(processPaymentEvent({ ...dependencies, ledger }, received, dying.signal)).rejects.toThrow()
  expect(typesOf(`purchase-${PURCHASE}`)).toEqual(['PurchaseStarted', 'PurchaseCompleted'])
  expect(store.stored(`ledger-${COMPANY}`)).toEqual([])
  await processPaymentEvent(dependencies, received, signal)
  expect(typesOf(`purchase-${PURCHASE}`)).toEqual(['PurchaseStarted', 'PurchaseCompleted'])
  expect(typesOf(`ledger-${COMPANY}`)).toEqual(['CreditsGranted'])
  expect(typesOf(`webhook-${event.id}`)).toEqual(['WebhookReceived', 'WebhookProcessed'])
})

test('a permanent error fails the event at once with its reason; a replay succeeds after the cause is fixed', async () => {
  const { dependencies, store, receive, startPurchase, typesOf, lastOf } = machine()
  const event = bought()
  const stream = streamName('webhook', event.id)
  await processPaymentEvent(dependencies, receive(event), signal)
  expect(lastOf(stream)).toMatchObject({ attempt: 1, error: expect.stringContaining('there is no purchase') })
  startPurchase()
  const context = { commandId: randomUUID(), correlationId: 'test', actor: { kind: 'system', name: 'test' } } as const
  const replay = { type: 'ReplayPaymentEvent', eventId: event.id, at: second(9) } as const
  await dependencies.commands.handle(paymentEventDecider, stream, replay, context)
  await processPaymentEvent(dependencies, store.stored(stream).at(-1) as Recorded<PaymentEventChange>, signal)
  expect(typesOf(stream)).toEqual(['WebhookReceived', 'WebhookFailed', 'WebhookReplayed', 'WebhookProcessed'])
})

test('an object that does not follow the provider’s schema fails, and names the field', async () => {
  const { dependencies, receive, lastOf } = machine()
  const event = providerEvent('charge.refunded', { id: 'ch_1', amount: 'ten' })
  await processPaymentEvent(dependencies, receive(event), signal)
  expect(lastOf(`webhook-${event.id}`)).toMatchObject({
    error: expect.stringMatching(/does not follow its schema.*amount/s),
  })
})

test('calls to an unavailable provider are retried a few times', async () => {
  let attempts = 0
  const away = async () => {
    attempts++
    throw new PaymentProviderError('connection refused', 'transient', null)
  }
  const { dependencies, receive, lastOf } = machine({ companyOfCustomer: away })
  const event = providerEvent('customer.subscription.created', { id: 'sub_1', status: 'active', customer: 'cus_1' })
  await processPaymentEvent(dependencies, receive(event), signal)
  expect(attempts).toBe(5)
  expect(lastOf(`webhook-${event.id}`)).toMatchObject({ error: expect.stringContaining('connection refused') })
})

test('processing waits for an unavailable event store, and loses nothing', async () => {
  const { dependencies, store, receive, startPurchase, typesOf } = machine()
  startPurchase()
  const event = bought()
  const received = receive(event)
  store.failNext(unavailable, unavailable)
  await processPaymentEvent(dependencies, received, signal)
  expect(typesOf(`webhook-${event.id}`)).toEqual(['WebhookReceived', 'WebhookProcessed'])
  expect(typesOf(`ledger-${COMPANY}`)).toEqual(['CreditsGranted'])
})

test('the event of a user erased meanwhile is fetched from the provider, so that no credits are lost', async () => {
  const event = bought()
  const { dependencies, receive, startPurchase, typesOf } = machine({ event: async () => event }, async () => ERASED)
  startPurchase()
  await processPaymentEvent(dependencies, receive(event), signal)
  expect(typesOf(`ledger-${COMPANY}`)).toEqual(['CreditsGranted'])
})

test('an event without one of our companies has no effect', async () => {
  const { dependencies, receive, lastOf } = machine({ companyOfCustomer: async () => null })
  const event = providerEvent('customer.subscription.created', { id: 'sub_9', status: 'active', customer: 'cus_9' })
  await processPaymentEvent(dependencies, receive(event), signal)
  expect(lastOf(`webhook-${event.id}`)).toMatchObject({ effect: 'nothing: it names none of our companies' })
})

test('changing from a free plan to a paid one grants the prorated credits, and those of the free plan only once', async () => {
  const { dependencies, store, receive, typesOf, lastOf } = machine()
  const [free, paid] = [randomUUID(), randomUUID()]
  for (const [planId, price] of [
    [free, '0'],
    [paid, '50'],
  ] as const) {
    const offer = {
      name: 'Plan',
      billingMode: 'PREPAID',
      price,
      currency: 'usd',
      creditsPerPeriodMicros: '400',
      dueDays: 14,
      rolloverShare: null,
    } as const
    const created = { type: 'PlanCreated', data: { planId, ...offer, createdAt: second(0) } }
    store.write(streamName('plan', planId), 'none', [anEventOf(created, randomUUID())])
  }
  const line = (planId: string, amount: number, unit_amount: number) => ({
    amount,
    quantity: 1,
    proration: true,
    price: { id: `price_${planId}`, product: `tollgate_plan_${planId}`, unit_amount },
  })
  const event = providerEvent('invoice.paid', {
    id: 'in_1',
    status: 'paid',
    customer: 'cus_1',
    subscription: 'sub_1',
    metadata: { companyId: COMPANY },
    lines: { data: [line(free, 0, 0), line(paid, 2_500, 5_000)] },
    total: 2_500,
    currency: 'usd',
    created: 1_772_359_200,
  })
  await processPaymentEvent(dependencies, receive(event), signal)
  expect(typesOf(`ledger-${COMPANY}`)).toEqual(['CreditsGranted'])
  expect(lastOf(`ledger-${COMPANY}`)).toMatchObject({ amountMicros: '200' })
})
