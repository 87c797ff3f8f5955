import { expect, test } from 'vitest'
import { CommandHandler } from '../../../capabilities/commands/commandHandler.ts'
import { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import { type SubscriptionObject, subscriptionObject } from '../../../capabilities/payments/providerObjects.ts'
import { streamName } from '../../../contracts/streams.ts'
import { fold } from '../../../domain/decider.ts'
import { subscriptionDecider } from '../../../domain/subscription/decider.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { MemoryEventStore } from '../../../test/support/eventStores/memoryEventStore.ts'
import { NOTHING_PERSONAL } from '../../../test/support/eventStores/nothingPersonal.ts'
import { COMPANY } from '../../../test/support/events/billingEvents.ts'
import { providerEvent } from '../../../test/support/parties/paymentEventDelivery.ts'
import { until } from '../../../test/support/time/until.ts'
import { applyPaymentEvent } from './applyPaymentEvent.ts'
import type { PaymentEventDependencies } from './paymentEventDependencies.ts'

const SECOND = 1_772_359_200
const stream = streamName('subscription', 'sub_1')
const object = (status: string): SubscriptionObject =>
  subscriptionObject.parse({ id: 'sub_1', status, customer: null, metadata: { companyId: COMPANY } })

/** A provider whose answers the test gives one by one, within the second that the events are of. */
function machine() {
  const store = new MemoryEventStore()
  const appender = new PursuingAppender(store, systemClock)
  const questions: ((answer: SubscriptionObject) => void)[] = []
  const refuse = () => Promise.reject(new Error('the provider must not be asked this'))
  const dependencies: PaymentEventDependencies = {
    commands: new CommandHandler(store, appender, NOTHING_PERSONAL),
    ledger: new LedgerWriter(appender),
    store,
    clock: { ...systemClock, now: () => SECOND * 1_000 + 500 },
    earlierCorrections: async () => [],
    disputesSuspend: false,
    savedPayments: { methodOf: refuse },
    provider: {
      subscription: () => new Promise((resolve) => questions.push(resolve)),
      invoice: refuse,
      charge: refuse,
      dispute: refuse,
      companyOfCustomer: refuse,
      event: refuse,
    },
  }
  const report = (kind: 'created' | 'updated' | 'paused', status: string) => {
    const type = `customer.subscription.${kind}` as const
    return applyPaymentEvent(dependencies, type, providerEvent(type, object(status), { created: SECOND }))
  }
  const question = async (n: number) => {
    await until('the question is asked', () => questions[n])
    return (status: string) => questions[n]?.(object(status))
  }
  const status = () => fold(subscriptionDecider, store.stored(stream) as never[]).known?.facts.status
  return { report, question, status, questions }
}

test('a subscription that is created, activated and paused within one second is paused', async () => {
  const { report, question, status } = machine()
  await report('created', 'incomplete')
  const activated = report('updated', 'active')
  ;(await question(0))('active')
  await activated
  expect(status()).toBe('ACTIVE')
  const paused = report('paused', 'paused')
  ;(await question(1))('paused')
  expect(await paused).toBe('subscription sub_1: PAUSED, settled as PAUSED')
  expect(status()).toBe('PAUSED')
})

test('an answer that was overtaken by a later one does not count, and the provider is asked again', async () => {
  const { report, question, status, questions } = machine()
  await report('created', 'incomplete')
  const slow = report('updated', 'active')
  const answerSlow = await question(0)
  const paused = report('paused', 'paused')
  ;(await question(1))('paused')
  await paused
  answerSlow('active')
  ;(await question(2))('paused')
  await slow
  expect(status()).toBe('PAUSED')
  expect(questions).toHaveLength(3)
})
