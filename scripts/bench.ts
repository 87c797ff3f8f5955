import { benchAppends } from './bench/appends.ts'
import { runBench } from './bench/benchCommand.ts'
import { withBenchEngines } from './bench/benchDatabase.ts'
import { benchChat } from './bench/chat.ts'
import { benchReading } from './bench/reading.ts'

await runBench({
  name: 'bench',
  measures: 'Measures on this machine, each figure beside a bare reference of the same run',
  parts: {
    appends: () => withBenchEngines(benchAppends),
    reading: () => withBenchEngines(benchReading),
    chat: benchChat,
  },
  resultsFile: 'bench.json',
})
