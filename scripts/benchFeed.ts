import { runBench } from './bench/benchCommand.ts'
import { benchEmbedded } from './bench/feed/embedded.ts'
import { benchThroughKafka } from './bench/feed/throughKafka.ts'

await runBench({
  name: 'bench:feed',
  measures:
    'Measures the lag and the throughput from events to rows, without Kafka and through a real Kafka (with the ' +
    "machine's Java and Maven)",
  parts: { embedded: benchEmbedded, kafka: benchThroughKafka },
  resultsFile: 'bench-feed.json',
})
