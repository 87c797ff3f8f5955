import { runBench } from './benchCommand.ts'
import { missingEventStoreServer } from './eventStoreServer.ts'
import { benchEmbedded } from './feed/embedded.ts'
import { benchFromEventStoreDb } from './feed/eventStoreDb.ts'
import { benchThroughKafka } from './feed/throughKafka.ts'

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
