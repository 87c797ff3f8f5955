import { randomUUID } from 'node:crypto'
import type { DomainEvent, NewEvent } from '../../../contracts/envelope.ts'
import { PRICING_STREAM, type StreamName, streamName } from '../../../contracts/streams.ts'
import type { EventStore } from '../../../platform/eventStore/port.ts'
import { everyStream } from '../eventStores/everyStream.ts'
import { hardCapChanged, minted, published, registered } from './controlEvents.ts'
import { anEventOf } from './history.ts'
import { charged, failed, granted, refunded, reversed } from './ledgerEvents.ts'

export type MixedHistory = { readonly companies: readonly string[]; readonly events: number }

/** Events for every read model: several companies, interleaved in the store. */
export async function appendMixedHistory(
  store: EventStore,
  { companies: count = 3, rounds = 20 }: { companies?: number; rounds?: number } = {},
): Promise<MixedHistory> {
  const companies = Array.from({ length: count }, () => randomUUID())
  let appended = 0
  const append = async (stream: StreamName, ...events: (DomainEvent | NewEvent)[]) => {
    appended += events.length
    await store.append(
      stream,
      'any',
      events.map((event) => ('id' in event ? event : anEventOf(event))),
    )
  }
  await append(PRICING_STREAM, published(randomUUID()))
  // Two streams may share an id: it is unique within a stream only.
  const shared = randomUUID()
  for (const companyId of companies) {
    const keyId = randomUUID()
    await append(streamName('company', companyId), anEventOf(registered(companyId, 'Zürich 東京 🚀'), shared))
    await append(streamName('ledger', companyId), granted(companyId))
    await append(streamName('apiKey', keyId), minted(keyId, { companyId }))
    for (const { stream, events } of everyStream()) await append(stream, ...events)
  }
  for (let round = 0; round < rounds; round++) {
    for (const companyId of companies) {
      const undone = charged(companyId, { alias: 'svc/chat-cheap' })
      await append(streamName('ledger', companyId), charged(companyId), failed(companyId))
      await append(streamName('company', companyId), hardCapChanged(companyId, round % 2 === 0))
      await append(streamName('ledger', companyId), undone, reversed(undone), refunded(companyId))
    }
  }
  return { companies, events: appended }
}
