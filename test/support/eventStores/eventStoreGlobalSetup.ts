import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers'
import type { TestProject } from 'vitest/node'
import { endLeftovers } from '../databases/leftovers.ts'
import type { EngineOffer } from '../engines/engineOffer.ts'
import { EVENT_STORE_VERSION, NO_EVENT_STORE_SERVER, startEventStoreServer } from './eventStoreServer.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    eventStore: EngineOffer
  }
}

const IMAGE = `eventstore/eventstore:${EVENT_STORE_VERSION}-bookworm-slim`
const PORT = 2113

let remove: (() => Promise<unknown>) | undefined

/** One EventStoreDB for the whole run: the binary that ESDB_SERVER names, or a container. */
export async function setup(project: TestProject): Promise<void> {
  await endLeftovers(/EventStore\.ClusterNode .*--db (\S+)/)
  project.provide('eventStore', await offerEventStore())
}

export async function teardown(): Promise<void> {
  await remove?.()
}

async function offerEventStore(): Promise<EngineOffer> {
  const binary = process.env.ESDB_SERVER
  if (binary === NO_EVENT_STORE_SERVER) return { missing: 'ESDB_SERVER is "none"', isAccepted: true }
  if (binary) {
    const server = await startEventStoreServer()
    remove = () => server.stop()
    return { address: server.url }
  }
  const hasDocker = await getContainerRuntimeClient().then(
    () => true,
    () => false,
  )
  if (!hasDocker)
    return { missing: 'ESDB_SERVER does not name the binary of EventStoreDB, and no Docker engine answers' }
  return { address: await startContainer() }
}

async function startContainer(): Promise<string> {
  const container = await new GenericContainer(IMAGE)
    .withExposedPorts(PORT)
    .withEnvironment({ EVENTSTORE_INSECURE: 'true', EVENTSTORE_MEM_DB: 'true', EVENTSTORE_RUN_PROJECTIONS: 'None' })
    .withWaitStrategy(Wait.forHttp('/health/live', PORT).forStatusCode(204))
    .start()
  remove = () => container.stop()
  return `esdb://${container.getHost()}:${container.getMappedPort(PORT)}?tls=false`
}
