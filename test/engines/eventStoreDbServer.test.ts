import { pino } from 'pino'
import { systemClock } from '../../platform/clock/clock.ts'
import { openEventStoreDb } from '../../platform/eventStore/eventStoreDb/eventStoreDb.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { type EventStoreHarness, eventStoreContract } from '../contract/eventStore.ts'
import { startCuttingProxy } from '../support/callers/cuttingProxy.ts'
import { aPrefix } from '../support/eventStores/eventStoreServer.ts'
import { describeWithEventStore } from '../support/eventStores/eventStoreSuite.ts'

/** A busy machine keeps the server from answering for seconds, which the contract is not about. */
const APPEND_MS_MAX = 30_000

async function start(url: string): Promise<EventStoreHarness> {
  const { host, hostname, port } = new URL(url)
  const proxy = await startCuttingProxy({ host: hostname, port: Number(port) })
  const throughProxy = url.replace(host, `127.0.0.1:${proxy.port}`)
  const prefix = aPrefix()
  const stores: EventStore[] = []
  return {
    open: () => {
      const log = pino({ enabled: false })
      const options = { clock: systemClock, ids: systemIds, prefix, log, appendTimeoutMs: APPEND_MS_MAX }
      const store = openEventStoreDb(throughProxy, options)
      stores.push(store)
      return store
    },
    cutMidAppend: async (append, moment) => {
      const cut = proxy.cutAt('SomethingHappened', moment)
      await append()
      await cut
    },
    close: async () => {
      for (const store of stores) await store.close()
      await proxy.close()
    },
  }
}

describeWithEventStore('EventStoreDB itself', (url) => {
  eventStoreContract('a real EventStoreDB', () => start(url))
})
