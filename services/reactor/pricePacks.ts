import { streamName } from '../../contracts/streams.ts'
import { creditPackDecider } from '../../domain/creditPack/decider.ts'
import { packsWithoutPrice } from '../../projections/creditPacks/queries.ts'
import { isoTime } from '../platform/clock/clock.ts'
import { packOffer } from '../platform/payments/offers.ts'
import type { PaymentProvider } from '../platform/payments/paymentProvider.ts'
import type { Runtime } from '../platform/runtime.ts'

const PACKS_PER_ROUND = 10
/** An earlier version that still runs beside this one prices a pack right after it created it. */
const LEFT_ALONE_MS = 5_000

/** Prices credit packs that were created without a provider: the pack of the demo, and packs of earlier versions. */
export async function pricePacks(
  { engines, clock, log }: Pick<Runtime, 'engines' | 'clock' | 'log'>,
  provider: Pick<PaymentProvider, 'ensureOffer'>,
): Promise<void> {
  const createdBefore = isoTime(clock.now() - LEFT_ALONE_MS)
  for (const pack of await packsWithoutPrice(engines.database, createdBefore, PACKS_PER_ROUND)) {
    const packId = pack.pack_id
    const pricing = await provider.ensureOffer(packOffer(pack))
    await engines.commands.handle(
      creditPackDecider,
      streamName('creditPack', packId),
      { type: 'PriceCreditPack', packId, ...pricing, at: isoTime(clock.now()) },
      { commandId: `price:${packId}`, correlationId: `price:${packId}`, actor: { kind: 'system', name: 'reactor' } },
    )
    log.info({ packId }, 'credit pack priced at the payment provider')
  }
}
