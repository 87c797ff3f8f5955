import { REACTOR } from '../../capabilities/commands/commandHandler.ts'
import type { Runtime } from '../../capabilities/installation.ts'
import { packOffer } from '../../capabilities/payments/offers.ts'
import type { PaymentProvider, Pricing } from '../../capabilities/payments/paymentProvider.ts'
import { priceOffer } from '../../capabilities/payments/productName.ts'
import { streamName } from '../../contracts/streams.ts'
import { creditPackDecider } from '../../domain/creditPack/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import type { CreditPackRow } from '../../projections/creditPacks/projection.ts'
import { packsWithoutPrice } from '../../projections/creditPacks/queries.ts'

const PACKS_PER_ROUND = 10
/** An earlier version that still runs beside this one prices a pack right after it created it. */
const LEFT_ALONE_MS = 5_000

type Parts = Pick<Runtime, 'engines' | 'clock' | 'log'>
type Provider = Pick<PaymentProvider, 'ensureOffer' | 'renameProduct'>

/** Prices credit packs that were created without a provider, as earlier versions did. */
export async function pricePacks(parts: Parts, provider: Provider): Promise<void> {
  const createdBefore = isoTime(parts.clock.now() - LEFT_ALONE_MS)
  for (const pack of await packsWithoutPrice(parts.engines.database, createdBefore, PACKS_PER_ROUND)) {
    await pricePack(parts, provider, pack)
  }
}

export async function pricePack({ engines, clock, log }: Parts, provider: Provider, row: CreditPackRow): Promise<void> {
  const { commands } = engines
  const packId = row.packId
  const stream = streamName('creditPack', packId)
  const offer = packOffer(row)
  const record = (pricing: Pricing) =>
    commands.handle(
      creditPackDecider,
      stream,
      { type: 'PriceCreditPack', packId, ...pricing, at: isoTime(clock.now()) },
      { commandId: `price:${packId}`, correlationId: `price:${packId}`, actor: REACTOR },
    )
  await priceOffer(provider, offer, record, async () => {
    const pack = await commands.stateOf(creditPackDecider, stream)
    return pack.status === 'unknown' ? offer.name : pack.name
  })
  log.info({ packId }, 'credit pack priced at the payment provider')
}
