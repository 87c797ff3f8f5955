import { hostname } from 'node:os'
import type { Runtime } from '../../capabilities/installation.ts'
import { earlierCorrectionsIn } from '../../capabilities/payments/grantStream.ts'
import { openPaymentProvider, PaymentProviderError } from '../../capabilities/payments/paymentProvider.ts'
import { returnUrlOf } from '../../capabilities/payments/returnUrl.ts'
import { openSavedPayments } from '../../capabilities/payments/savedPayments.ts'
import { openUsageInvoices } from '../../capabilities/payments/usageInvoices.ts'
import { createMonthClosing } from '../../capabilities/postpaid/closeMonths.ts'
import { createMonthEnding } from '../../capabilities/postpaid/endMonths.ts'
import { settlesWithin } from '../../platform/clock/within.ts'
import type { RunningService } from '../../platform/service.ts'
import { inSpan } from '../../platform/tracing/activeSpan.ts'
import { eventAttributes, traceOfEvent } from '../../platform/tracing/eventTrace.ts'
import { openDisputesOf } from '../../projections/disputes/queries.ts'
import { createPriceBookAnchoring } from './anchorPriceBooks.ts'
import { createProviderQuestions } from './askProvider.ts'
import { createCreditExpiry } from './creditLots/expireCredits.ts'
import { keepCreditLots } from './creditLots/keepCreditLots.ts'
import { createDuplicateEnding } from './endDuplicates.ts'
import { createPurchaseEnding } from './endPurchases.ts'
import { expireKeys } from './expireKeys.ts'
import { bookCorrection } from './paymentEvents/bookCorrections.ts'
import { type FollowedEvent, followPaymentEvents, isPaymentEventChange } from './paymentEvents/followPaymentEvents.ts'
import { processPaymentEvent } from './paymentEvents/processPaymentEvent.ts'
import { createDemoPricing } from './priceDemoOffers.ts'
import { pricePacks } from './pricePacks.ts'
import { removeOldAnswers } from './removeOldAnswers.ts'
import { createTopUps } from './topUp/topUpRounds.ts'

const ROUND_MS = 1_000
const REMOVAL_MS = 60_000
const PRICING_MS = 5_000
const DEMO_PRICING_MS = 1_000
const ANCHORS_MS = 1_000
const PURCHASES_MS = 1_000
const TOP_UPS_MS = 1_000
const DUPLICATES_MS = 1_000
const EXPIRY_MS = 5_000
const MONTHS_MS = 1_000
const QUESTIONS_MS = 60_000

/** Runs the policies: commands that follow from events or from time passing. */
export async function startReactor(
  runtime: Pick<Runtime, 'config' | 'engines' | 'clock' | 'ids' | 'log' | 'tracing' | 'network'>,
): Promise<RunningService> {
  const { config, engines, clock, ids, log, tracing, network } = runtime
  const holder = `${hostname()} ${globalThis.process.pid} ${ids.uuid().slice(0, 8)}`
  const provider = openPaymentProvider(config, network)
  const stopping = new AbortController()
  const inRounds = async (work: () => Promise<unknown>, roundMs: number, failed: string) => {
    while (!stopping.signal.aborted) {
      await work().catch((error: unknown) => {
        if (stopping.signal.aborted) return
        // Only the operator can restore the access to the payment provider.
        const needsOperator = error instanceof PaymentProviderError && error.fault === 'access'
        log[needsOperator ? 'error' : 'warn']({ err: error }, failed)
      })
      await clock.delay(roundMs, stopping.signal)
    }
  }
  const postpaid = { engines, clock, log, provider, usageInvoices: openUsageInvoices(config, network) }
  const earlierCorrections = earlierCorrectionsIn(engines.database, engines.store)
  const disputesSuspend = config.DISPUTE_SUSPENDS_COMPANY
  const savedPayments = openSavedPayments(config, network)
  const dependencies = { ...engines, provider, savedPayments, clock, log, earlierCorrections, disputesSuspend }
  const hasOpenDispute = async (companyId: string) => (await openDisputesOf(engines.database, companyId)).length > 0
  const process = (event: FollowedEvent, signal: AbortSignal) => {
    if (!isPaymentEventChange(event)) return bookCorrection(dependencies, event, signal)
    const parent = tracing ? traceOfEvent(event, clock.now()) : undefined
    if (parent === undefined) return processPaymentEvent(dependencies, event, signal)
    const options = { kind: 'consumer', parent, attributes: eventAttributes(event) } as const
    return inSpan(tracing, 'process webhook', options, () => processPaymentEvent(dependencies, event, signal))
  }
  const running = Promise.all([
    inRounds(() => expireKeys(runtime), ROUND_MS, 'expired API keys could not be recorded, retrying'),
    inRounds(() => removeOldAnswers(runtime), REMOVAL_MS, 'expired answers could not be deleted, retrying'),
    inRounds(() => pricePacks(runtime, provider), PRICING_MS, 'credit packs could not be priced, retrying'),
    ...(config.sandbox
      ? [
          inRounds(
            createDemoPricing({ engines, clock, log, provider }),
            DEMO_PRICING_MS,
            'offers of the demo could not be priced, retrying',
          ),
        ]
      : []),
    inRounds(
      createPriceBookAnchoring({ engines, clock, log }),
      ANCHORS_MS,
      'price books to be anchored could not be read, retrying',
    ),
    inRounds(
      createPurchaseEnding({ engines, clock, log, provider, savedPayments }),
      PURCHASES_MS,
      'expired purchases could not be read, retrying',
    ),
    inRounds(
      createTopUps({ ...dependencies, hasOpenDispute, returnUrl: returnUrlOf(config) }),
      TOP_UPS_MS,
      'balances to top up could not be read, retrying',
    ),
    inRounds(
      createDuplicateEnding({ engines, clock, log, provider }),
      DUPLICATES_MS,
      'second subscriptions could not be read, retrying',
    ),
    keepCreditLots({ engines, clock, log }, holder, stopping.signal),
    inRounds(createCreditExpiry({ engines, clock, log }), EXPIRY_MS, 'credits could not be expired, retrying'),
    inRounds(createMonthClosing(postpaid), MONTHS_MS, 'months to be closed could not be read, retrying'),
    inRounds(createMonthEnding(postpaid), MONTHS_MS, 'months to be billed and invoiced could not be read, retrying'),
    inRounds(
      createProviderQuestions({ engines, clock, log, provider, holder, stopping: stopping.signal }),
      QUESTIONS_MS,
      'payment provider could not be asked, retrying',
    ),
    followPaymentEvents({ ...engines, clock, log, process }, stopping.signal),
  ])
  return {
    name: 'reactor',
    url: null,
    drain: async (timeoutMs) => {
      stopping.abort()
      await settlesWithin(running, timeoutMs, clock)
    },
  }
}
