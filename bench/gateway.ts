import { runBench } from './benchCommand.ts'
import { missingEventStoreServer } from './eventStoreServer.ts'
import { benchApis } from './gateway/apis.ts'
import { benchBesidePrototype } from './gateway/besidePrototype.ts'
import { benchOnEventStoreDb } from './gateway/eventStoreDb.ts'
import { benchLatency } from './gateway/latency.ts'
import { benchMemory } from './gateway/memory.ts'
import { benchStreams } from './gateway/streams.ts'
import { benchThroughput } from './gateway/throughput.ts'

await runBench({
  name: 'bench:gateway',
  measures:
    "Measures the gateway, its projector in a process of its own, beside a bare passthrough proxy and Portkey's gateway " +
    '(which is installed once, into a folder of its own), beside a prototype that only forwards and charges, with the ' +
    'steps of a call, and on a real EventStoreDB (with ESDB_SERVER)',
  parts: {
    throughput: benchThroughput,
    apis: benchApis,
    latency: benchLatency,
    streams: benchStreams,
    memory: benchMemory,
  },
  optionalParts: {
    prototype: { measure: benchBesidePrototype, resultsFile: 'gateway-prototype.json', missing: () => null },
    eventstoredb: {
      measure: benchOnEventStoreDb,
      resultsFile: 'gateway-eventstoredb.json',
      missing: missingEventStoreServer,
    },
  },
  short: 'fewer rounds and calls are made, and nothing is written to docs/results.',
  resultsFile: 'gateway.json',
})
