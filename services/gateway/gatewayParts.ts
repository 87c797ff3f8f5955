import { AnswerStore } from '../../capabilities/answerStore/answerStore.ts'
import type { Runtime } from '../../capabilities/installation.ts'
import { registerBreakerStates } from '../../capabilities/providers/breakerMetrics.ts'
import { ProviderClient } from '../../capabilities/providers/providerClient.ts'
import { ProviderWatch } from '../../capabilities/providers/providerWatch.ts'
import type { UnsettledCalls } from '../../capabilities/unsettledCalls/unsettledCalls.ts'
import type { Category } from '../../contracts/streams.ts'
import { FairShare } from '../../platform/http/limits/fairShare.ts'
import { KeyStamp } from '../../platform/secrets/keyStamp.ts'
import type { BackgroundWork } from './backgroundWork.ts'
import { AbandonedStreams } from './call/abandonedStreams.ts'
import { ANSWER_GROWTH_BYTES_MAX } from './call/answerRoom.ts'
import { CallsInFlight } from './call/callsInFlight.ts'
import { LateReads } from './call/lateReads.ts'
import type { GatewayMetrics } from './gatewayMetrics.ts'
import { budgetSeen } from './holds/budgetAccount.ts'
import { HoldKeeper } from './holds/holdKeeper.ts'
import { refusalFor } from './holds/holdRefusals.ts'
import { Claims } from './idempotency/claims.ts'
import { isBooked } from './idempotency/isBooked.ts'
import { RateLimiter } from './rateLimiter.ts'
import { Settlement } from './settlement/settlement.ts'
import { CompanyCatchUp } from './views/companyCatchUp.ts'
import { lowest } from './views/following.ts'
import { type GatewayViews, openViews } from './views/gatewayViews.ts'
import { NewKeys } from './views/newKeys.ts'
import { PriceCurrency } from './views/priceCurrency.ts'
import { SharedHead } from './views/sharedHead.ts'
import { observeViewLag } from './views/viewLag.ts'

/** The views, and the checks whether they lack a change that a request depends on. */
export async function followViews({ engines, secrets, clock, log, metrics }: Runtime) {
  const views = await openViews({ ...engines, clock, log })
  observeViewLag(metrics, views, engines.store)
  const passed = (category: Category) => lowest(views.reached()[category] ?? {})
  const head = new SharedHead(engines.store)
  return {
    views,
    priceCurrency: new PriceCurrency({ head, reached: () => passed('pricing'), clock }),
    newKeys: new NewKeys({
      stamp: new KeyStamp(secrets.internalToken),
      keys: views.keys,
      head,
      reached: () => passed('apiKey'),
      clock,
    }),
    companyCatchUp: new CompanyCatchUp({
      changes: engines.sharedState.companyChanges,
      seen: (companyId, category) => (category === 'ledger' ? views.ledgerSeen(companyId).position : passed(category)),
      clock,
      log,
    }),
  }
}

/** The parts that end a call on the ledger exactly once, even if its outcome is unknown or its caller retries. */
export function openCharging(runtime: Runtime, calls: UnsettledCalls, background: BackgroundWork) {
  const { engines, clock, ids, log } = runtime
  const { ledger, store } = engines
  const answers = new AnswerStore(engines.database, clock)
  return {
    ledger,
    claims: new Claims({ store: answers, clock, ids, background, log }),
    settlement: new Settlement({ calls, answers, ledger, store, clock, log }),
    isBooked: (charge: Parameters<typeof isBooked>[1]) => isBooked(store, charge),
  }
}

/** The holds of companies with a hard cap, and of the budgets of their keys. */
export async function startHolds(runtime: Runtime, views: GatewayViews, background: BackgroundWork) {
  const { engines, clock, ids, log } = runtime
  const keeper = new HoldKeeper({
    table: engines.sharedState.holds,
    views: { ledgerSeen: (account) => budgetSeen(views, account) ?? views.ledgerSeen(account) },
    refusal: refusalFor(views),
    store: engines.store,
    background,
    clock,
    ids,
    log,
  })
  await keeper.start()
  return keeper
}

/** The limits of addresses, keys and companies, and of their share of this process. */
export function openLimits({ config, engines, clock, log }: Runtime, views: GatewayViews, figures: GatewayMetrics) {
  return {
    rateLimiter: new RateLimiter(engines.sharedState.rateLimits, clock, config.IP_RPM, (limit) =>
      figures.limitHit(limit),
    ),
    abandonedStreams: new AbandonedStreams({
      tokens: views.dailyTokens,
      shareMax: config.ABANDONED_TOKENS_SHARE,
      tokensMin: config.ABANDONED_TOKENS_FLOOR,
      log,
      onHit: () => figures.limitHit('abandoned'),
    }),
    answerGrowth: new FairShare(ANSWER_GROWTH_BYTES_MAX),
    callsInFlight: new CallsInFlight(),
    lateReads: new LateReads(clock),
  }
}

/** The connections to the providers, and their health. */
export function openProviders({ config, clock, log, metrics, network }: Runtime) {
  const providers = new ProviderClient({
    clock,
    connect: network?.connect,
    breakerCooldownMs: config.BREAKER_COOLDOWN_MS,
    onBreaker: ({ state, ...facts }) => {
      const whose = facts.companyId === undefined ? 'provider' : 'one company at a provider'
      if (state === 'closed') log.info(facts, `circuit breaker closed for ${whose}`)
      else log.warn({ ...facts, cooldownMs: config.BREAKER_COOLDOWN_MS }, `circuit breaker opened for ${whose}`)
    },
  })
  registerBreakerStates(metrics, () => providers.breakerStates())
  return { providers, providerWatch: new ProviderWatch({ clock, log, metrics }) }
}
