import { expect, test } from 'vitest'
import { CommandHandler } from '../../../capabilities/commands/commandHandler.ts'
import { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import { disputeObject } from '../../../capabilities/payments/disputeObject.ts'
import { chargeObject, type PaymentEventBody } from '../../../capabilities/payments/providerObjects.ts'
import type { PaymentEventType } from '../../../contracts/events/paymentEvent.ts'
import { streamName } from '../../../contracts/streams.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { MemoryEventStore } from '../../../test/support/eventStores/memoryEventStore.ts'
import { NOTHING_PERSONAL } from '../../../test/support/eventStores/nothingPersonal.ts'
import { COMPANY, PURCHASE, purchaseStarted } from '../../../test/support/events/billingEvents.ts'
import { anEventOf } from '../../../test/support/events/history.ts'
import { until } from '../../../test/support/time/until.ts'
import { applyPaymentEvent } from './applyPaymentEvent.ts'
import type { PaymentEventDependencies } from './paymentEventDependencies.ts'

const SECOND = 1_772_359_200
const charge = (amount_refunded = 0) => ({
  ...{ id: 'ch_1', amount: 1_000, amount_refunded, currency: 'usd', customer: null, invoice: null },
  ...{ payment_intent: 'pi_1', created: SECOND, metadata: { purchaseId: PURCHASE, companyId: COMPANY } },
})
const dispute = (status: string) => ({
  ...{ id: 'du_1', amount: 1_000, currency: 'usd', status, reason: 'fraudulent', charge: 'ch_1' },
  ...{ payment_intent: 'pi_1', created: SECOND },
})

test('credits that a dispute withdrew are given back after that, although another process has heard that it was won', async () => {
  const { hear, pausedProcess, ledger } = await paidPurchase()
  const paused = pausedProcess()
  const opened = hear(paused, 'charge.dispute.created', dispute('needs_response'), 1)
  await paused.isAboutToBook()
  await hear(null, 'charge.dispute.closed', dispute('won'), 2)
  paused.goOn()
  await opened
  expect(await ledger()).toEqual(['CreditsGranted', 'CreditsWithdrawn', 'CreditsReinstated'])
})

test('a refund is booked before its correction, although another process has heard that it failed', async () => {
  const { hear, pausedProcess, ledger, provider } = await paidPurchase()
  const paused = pausedProcess()
  const refunded = hear(paused, 'charge.refunded', charge(400), 1)
  await paused.isAboutToBook()
  provider.charge = charge()
  await hear(null, 'charge.refund.updated', { id: 're_1', charge: 'ch_1' }, 2)
  paused.goOn()
  await refunded
  expect(await ledger()).toEqual(['CreditsGranted', 'CreditsRefunded', 'CreditsAdjusted'])
})

type Paused = { readonly parts: PaymentEventDependencies; isAboutToBook(): Promise<unknown>; goOn(): void }

/** A pack that was paid and granted, and processes that hear of its payment. */
async function paidPurchase() {
  const store = new MemoryEventStore()
  const appender = new PursuingAppender(store, systemClock)
  const provider = { charge: charge() }
  const refuse = () => Promise.reject(new Error('the provider must not be asked this'))
  const parts: PaymentEventDependencies = {
    commands: new CommandHandler(store, appender, NOTHING_PERSONAL),
    ledger: new LedgerWriter(appender),
    store,
    clock: { ...systemClock, now: () => (SECOND + 60) * 1_000 },
    earlierCorrections: async () => [],
    disputesSuspend: false,
    savedPayments: { methodOf: async () => null },
    provider: {
      charge: async () => chargeObject.parse(provider.charge),
      dispute: async () => disputeObject.parse(dispute('won')),
      subscription: refuse,
      invoice: refuse,
      companyOfCustomer: refuse,
      event: refuse,
    },
  }
  await store.append(streamName('purchase', PURCHASE), 'none', [anEventOf(purchaseStarted())])
  const hear = (paused: Paused | null, type: PaymentEventType, object: Record<string, unknown>, at: number) => {
    const event: PaymentEventBody = { id: `evt_${type}_${at}`, type, created: SECOND + at, data: { object } }
    return applyPaymentEvent(paused?.parts ?? parts, type, event)
  }
  const paid = { payment_intent: 'pi_1', payment_status: 'paid', amount_total: 1_000, currency: 'usd' }
  const session = { id: 'cs_1', mode: 'payment', ...paid, metadata: { purchaseId: PURCHASE } }
  await hear(null, 'checkout.session.completed', { ...session, customer: null, invoice: null, subscription: null }, 0)
  return { hear, provider, pausedProcess: () => pausedProcess(parts, appender), ledger: () => ledgerTypes(store) }
}

/** A process that stops between a decision and its booking. */
function pausedProcess(parts: PaymentEventDependencies, appender: PursuingAppender): Paused {
  const { promise: isOver, resolve: goOn } = Promise.withResolvers<void>()
  let isWaiting = false
  const ledger = new (class extends LedgerWriter {
    override async book(...args: Parameters<LedgerWriter['book']>) {
      isWaiting = true
      await isOver
      return super.book(...args)
    }
  })(appender)
  const isAboutToBook = () => until('the process is about to book', () => isWaiting)
  return { parts: { ...parts, ledger }, isAboutToBook, goOn }
}

async function ledgerTypes(store: MemoryEventStore): Promise<string[]> {
  const types: string[] = []
  for await (const { type } of store.readStream(streamName('ledger', COMPANY))) types.push(type)
  return types
}
