import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { MemoryEventStore } from '../../test/support/eventStores/memoryEventStore.ts'
import { chargeOf } from '../../test/support/transparency/sealedTransparencyLog.ts'
import { ledgerOf } from './replay.ts'

test.each([true, false])(
  'an audit reads each event once, at its first place; the store refuses copies: %s',
  async (idsAreUnique) => {
    const store = new MemoryEventStore({ idsAreUnique })
    const companyId = randomUUID()
    const stream = streamName('ledger', companyId)
    const events = Array.from({ length: 2_000 }, () => chargeOf(companyId))
    store.write(stream, 'any', events)
    // Further behind the first one than ids are remembered if only the latest are.
    if (!idsAreUnique)
      for (const event of [events[0], events[1_999], events[0]]) if (event) store.write(stream, 'any', [event])
    const read: string[] = []
    for await (const { id } of ledgerOf(store, companyId, null)) read.push(id)
    expect(read).toEqual(events.map(({ id }) => id))
  },
)
