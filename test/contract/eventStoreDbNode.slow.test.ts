import { pino } from 'pino'
import { systemClock } from '../../platform/clock/clock.ts'
import { openEventStoreDb } from '../../platform/eventStore/eventStoreDb/eventStoreDb.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { EventStoreNode } from '../support/eventStores/eventStoreNode/node.ts'
import { type EventStoreHarness, eventStoreContract } from './eventStore.ts'

async function start(): Promise<EventStoreHarness> {
  const node = await EventStoreNode.start({ indexMs: 5, prepareTimeoutMs: 100 })
  node.writeSystemEvent()
  const stores: EventStore[] = []
  return {
    open: () => {
      const log = pino({ enabled: false })
      const store = openEventStoreDb(node.url, {
        clock: systemClock,
        ids: systemIds,
        prefix: 'tollgate.',
        log,
        appendTimeoutMs: 12_000,
      })
      stores.push(store)
      return store
    },
    cutMidAppend: async (append, moment) => {
      node.faults.arm({ fault: moment === 'before commit' ? 'dropBefore' : 'dropAfter' })
      await append()
    },
    close: async () => {
      for (const store of stores) await store.close()
      await node.stop()
    },
  }
}

eventStoreContract('the EventStoreDB event store', start)
