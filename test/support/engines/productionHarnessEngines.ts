import { inject } from 'vitest'
import { systemClock } from '../../../platform/clock/clock.ts'
import { openEventStoreDb } from '../../../platform/eventStore/eventStoreDb/eventStoreDb.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { startRelay } from '../../../services/relay/relay.ts'
import { startHoldingProxy } from '../callers/holdingProxy.ts'
import { createTestDatabase, giveFeedItsOwnId } from '../databases/database.ts'
import { EventStoreNode } from '../eventStores/eventStoreNode/node.ts'
import { aPrefix } from '../eventStores/eventStoreServer.ts'
import { type HeldLedger, holdNodeLedger, holdProxiedLedger } from '../eventStores/heldLedger.ts'
import type { MissingEngine } from './engineOffer.ts'
import type { EnginesChoice, HarnessEngines } from './harnessEngines.ts'
import { startRedisServer } from './redisServer.ts'
import { missingRedis } from './redisSuite.ts'

/** Why this machine cannot run a harness on production engines; null if it can. */
export function missingEngine(): MissingEngine | null {
  const offers = [inject('kafka'), inject('eventStore')]
  return offers.find((offer) => 'missing' in offer) ?? missingRedis
}

type HarnessStore = {
  readonly url: string
  readonly node: EventStoreNode | null
  holdLedger(): HeldLedger
  close(): Promise<void>
}

/**
 * Separate streams on the shared EventStoreDB and separate topics on the shared Kafka, a separate redis-server, and Postgres
 * for the read models.
 */
export async function openProductionEngines({ through, standIn = false }: EnginesChoice): Promise<HarnessEngines> {
  const kafka = inject('kafka')
  if ('missing' in kafka) throw new Error(kafka.missing)
  const database = await createTestDatabase('migrated')
  await giveFeedItsOwnId(database.url)
  const store = standIn ? await standInStore() : await serverStore()
  const redis = await startRedisServer()
  const storeUrl = await through(store.url)
  const prefix = aPrefix()
  return {
    databaseUrl: database.url,
    gatewayDatabaseUrl: database.url,
    settings: {
      EVENTSTORE_URL: storeUrl,
      EVENTSTORE_PREFIX: prefix,
      KAFKA_BROKERS: kafka.address,
      REDIS_URL: redis.url,
    },
    openStore: (_, options) => openEventStoreDb(storeUrl, { ...options, ids: systemIds, prefix }),
    startRelay: ({ engines, log, tracing }) =>
      // In a deployment this is a separate process, so its time and metrics do not count as the gateway's.
      startRelay({
        brokers: kafka.address.split(','),
        database: engines.database,
        store: engines.storeAsWritten,
        clock: systemClock,
        ids: systemIds,
        log,
        metrics: createMetrics(),
        tracing,
      }),
    storeNode: store.node,
    redis,
    holdLedger: async () => store.holdLedger(),
    close: async () => {
      await store.close()
      await redis.stop()
      await database.drop()
    },
  }
}

async function serverStore(): Promise<HarnessStore> {
  const server = inject('eventStore')
  if ('missing' in server) throw new Error(server.missing)
  const { host, hostname, port } = new URL(server.address)
  const proxy = await startHoldingProxy({ host: hostname, port: Number(port) })
  return {
    url: server.address.replace(host, `127.0.0.1:${proxy.port}`),
    node: null,
    holdLedger: () => holdProxiedLedger(proxy),
    close: () => proxy.close(),
  }
}

async function standInStore(): Promise<HarnessStore> {
  const node = await EventStoreNode.start()
  return { url: node.url, node, holdLedger: () => holdNodeLedger(node), close: () => node.stop() }
}
