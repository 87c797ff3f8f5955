import { runBench } from './bench/benchCommand.ts'
import { missingEventStoreServer } from './bench/eventStoreServer.ts'
import { benchEmbedded } from './bench/feed/embedded.ts'
import { benchFromEventStoreDb } from './bench/feed/eventStoreDb.ts'
import { benchThroughKafka } from './bench/feed/throughKafka.ts'

await runBench({
  name: 'bench:feed',
  measures:
    'Measures the lag and the throughput from events to rows, without Kafka and through a real Kafka (with the ' +
    "machine's Java and Maven), and reading, rebuilding and starting on a real EventStoreDB (with ESDB_SERVER)",
  parts: { embedded: benchEmbedded, kafka: benchThroughKafka },
  optionalParts: {
    eventstoredb: {
      measure: benchFromEventStoreDb,
      resultsFile: 'bench-feed-eventstoredb.json',
      missing: missingEventStoreServer,
    },
  },
  resultsFile: 'bench-feed.json',
})
