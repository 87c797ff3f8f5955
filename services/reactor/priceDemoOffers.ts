import { REACTOR } from '../../capabilities/commands/commandHandler.ts'
import type { Runtime } from '../../capabilities/installation.ts'
import { planOffer } from '../../capabilities/payments/offers.ts'
import type { PaymentProvider, Pricing } from '../../capabilities/payments/paymentProvider.ts'
import { priceOffer } from '../../capabilities/payments/productName.ts'
import { DEMO_ACTOR } from '../../contracts/demoActor.ts'
import { type StreamName, streamName } from '../../contracts/streams.ts'
import { planDecider } from '../../domain/plan/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { packsWithoutPrice } from '../../projections/creditPacks/queries.ts'
import type { PlanRow } from '../../projections/plans/projection.ts'
import { allPlans, needsProviderPricing } from '../../projections/plans/queries.ts'
import { pricePack } from './pricePacks.ts'

const PACKS_PER_ROUND = 10

type Parts = Pick<Runtime, 'engines' | 'clock' | 'log'> & {
  readonly provider: Pick<PaymentProvider, 'ensureOffer' | 'renameProduct'>
}

/**
 * Prices the plans and packs that the first start of a sandbox installation creates, so that they can be bought at once.
 * They are created before the sandbox's payment provider runs. Other plans wait for an admin, who may still retire them.
 */
export function createDemoPricing(parts: Parts): () => Promise<void> {
  const { engines, clock, provider } = parts
  const notOfDemo = new Set<string>()
  const isOfDemo = async (stream: StreamName<'plan' | 'creditPack'>) => {
    if (notOfDemo.has(stream)) return false
    for await (const { metadata } of engines.store.readStream(stream, { limit: 1 })) {
      if (metadata.actor.kind === 'system' && metadata.actor.name === DEMO_ACTOR.name) return true
    }
    notOfDemo.add(stream)
    return false
  }
  return async () => {
    for (const row of (await allPlans(engines.database)).filter(needsProviderPricing)) {
      if (await isOfDemo(streamName('plan', row.planId))) await pricePlan(parts, row)
    }
    for (const row of await packsWithoutPrice(engines.database, isoTime(clock.now()), PACKS_PER_ROUND)) {
      if (await isOfDemo(streamName('creditPack', row.packId))) await pricePack(parts, provider, row)
    }
  }
}

async function pricePlan({ engines, clock, log, provider }: Parts, row: PlanRow): Promise<void> {
  const { commands } = engines
  const planId = row.planId
  const stream = streamName('plan', planId)
  const offer = planOffer(row)
  const record = (pricing: Pricing) =>
    commands.handle(
      planDecider,
      stream,
      { type: 'PricePlan', planId, ...pricing, at: isoTime(clock.now()) },
      { commandId: `price:${planId}`, correlationId: `price:${planId}`, actor: REACTOR },
    )
  await priceOffer(provider, offer, record, async () => {
    const plan = await commands.stateOf(planDecider, stream)
    return plan.status === 'unknown' ? offer.name : plan.name
  })
  log.info({ planId }, 'plan of the demo priced at the payment provider')
}
