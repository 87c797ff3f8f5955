import { pino } from 'pino'
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers'
import { test } from 'vitest'
import { systemClock } from '../../services/platform/clock/clock.ts'
import { openEventStoreDb } from '../../services/platform/eventStore/eventStoreDb/eventStoreDb.ts'
import type { EventStore } from '../../services/platform/eventStore/port.ts'
import { systemIds } from '../../services/platform/ids/ids.ts'
import { type EventStoreHarness, eventStoreContract } from '../contract/eventStore.ts'
import { startCuttingProxy } from '../support/cuttingProxy.ts'

const IMAGE = 'eventstore/eventstore:24.10.0-bookworm-slim'
const PORT = 2113

type RealServer = { readonly url: string; stop(): Promise<void> }

async function start(server: () => Promise<RealServer>): Promise<EventStoreHarness> {
  const { url, stop } = await server()
  const direct = new URL(url)
  const proxy = await startCuttingProxy({ host: direct.hostname, port: Number(direct.port || PORT) })
  const stores: EventStore[] = []
  return {
    open: () => {
      const throughProxy = url.replace(direct.host, `127.0.0.1:${proxy.port}`)
      const store = openEventStoreDb(throughProxy, {
        clock: systemClock,
        ids: systemIds,
        log: pino({ enabled: false }),
      })
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
      await stop()
    },
  }
}

async function container(): Promise<RealServer> {
  const started = await new GenericContainer(IMAGE)
    .withExposedPorts(PORT)
    .withEnvironment({ EVENTSTORE_INSECURE: 'true', EVENTSTORE_MEM_DB: 'true', EVENTSTORE_RUN_PROJECTIONS: 'None' })
    .withWaitStrategy(Wait.forHttp('/health/live', PORT).forStatusCode(204))
    .start()
  return {
    url: `esdb://${started.getHost()}:${started.getMappedPort(PORT)}?tls=false`,
    stop: async () => void (await started.stop()),
  }
}

const configured = process.env.EVENTSTORE_URL
const hasDocker = await getContainerRuntimeClient().then(
  () => true,
  () => false,
)

if (configured !== undefined) {
  eventStoreContract('a real EventStoreDB at EVENTSTORE_URL', () =>
    start(async () => ({ url: configured, stop: async () => {} })),
  )
} else if (hasDocker) {
  eventStoreContract('a real EventStoreDB in a container', () => start(container))
} else {
  test('a real EventStoreDB', ({ skip }) => skip('EVENTSTORE_URL is not set, and no Docker engine answers'))
}
