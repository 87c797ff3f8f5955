import { inject } from 'vitest'
import { systemClock } from '../../services/platform/clock/clock.ts'
import { openEventStoreDb } from '../../services/platform/eventStore/eventStoreDb/eventStoreDb.ts'
import { systemIds } from '../../services/platform/ids/ids.ts'
import { createMetrics } from '../../services/platform/metrics/metrics.ts'
import { startRelay } from '../../services/relay/relay.ts'
import { createTestDatabase } from './database.ts'
import type { MissingEngine } from './engineOffer.ts'
import { EventStoreNode } from './eventStoreNode/node.ts'
import type { HarnessEngines, Through } from './harnessEngines.ts'
import { holdNodeLedger } from './heldLedger.ts'
import { startRedisServer } from './redisServer.ts'
import { missingRedis } from './redisSuite.ts'

/** Why this machine cannot run a harness on production engines; null where it can. */
export function missingEngine(): MissingEngine | null {
  const kafka = inject('kafka')
  return 'missing' in kafka ? kafka : missingRedis
}

/**
 * An EventStoreDB node and a redis-server of its own, topics of its own on the Kafka that the whole run shares (their
 * names bear an id of the database), and Postgres for the read models.
 */
export async function openProductionEngines(through: Through): Promise<HarnessEngines> {
  const kafka = inject('kafka')
  if ('missing' in kafka) throw new Error(kafka.missing)
  const database = await createTestDatabase()
  const node = await EventStoreNode.start()
  const redis = await startRedisServer()
  const storeUrl = await through(node.url)
  return {
    databaseUrl: database.url,
    gatewayDatabaseUrl: database.url,
    settings: { EVENTSTORE_URL: storeUrl, KAFKA_BROKERS: kafka.address, REDIS_URL: redis.url },
    openStore: (_, options) => openEventStoreDb(storeUrl, { ...options, ids: systemIds }),
    startRelay: ({ engines, log }) =>
      // In a deployment it is a process of its own: neither its time nor its figures are the gateway's.
      startRelay({
        brokers: kafka.address.split(','),
        database: engines.database,
        store: engines.storeAsWritten,
        clock: systemClock,
        ids: systemIds,
        log,
        metrics: createMetrics(),
      }),
    storeNode: node,
    redis,
    holdLedger: async () => holdNodeLedger(node),
    close: async () => {
      await node.stop()
      await redis.stop()
      await database.drop()
    },
  }
}
