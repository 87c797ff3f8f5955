import { systemClock } from '../../../platform/clock/clock.ts'
import { PostgresEventStore } from '../../../platform/eventStore/postgres/postgresEventStore.ts'
import { kafkaFeed } from '../../../platform/feed/kafkaFeed.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { carrierOf } from '../../../projections/runner/carrier.ts'
import { runProjection } from '../../../projections/runner/runner.ts'
import { usage } from '../../../projections/usage/projection.ts'
import { startRelay } from '../../../services/relay/relay.ts'
import { patientDatabase } from '../databases/patientDatabase.ts'

/** A relay, or a projector of one model, as a process that a test can kill: see startFeedChild. */
const [role, databaseUrl = '', addresses = '', leaseMs] = process.argv.slice(2)
const database = patientDatabase({ url: databaseUrl })
const store = new PostgresEventStore(database, systemClock)
const { log } = openLog({ level: 'silent', file: null })
const parts = { brokers: addresses.split(','), database, store, clock: systemClock, ids: systemIds, log }

if (role === 'relay') {
  await startRelay({
    ...parts,
    metrics: createMetrics(),
    ...(leaseMs === undefined ? {} : { leaseMs: Number(leaseMs) }),
  })
} else {
  void runProjection(
    {
      projection: usage,
      database,
      feed: kafkaFeed(parts),
      carrier: carrierOf('projector', [usage]),
      clock: systemClock,
    },
    new AbortController().signal,
  )
}
process.stdout.write('started\n')
