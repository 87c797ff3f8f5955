import { benchAppends } from './appends.ts'
import { runBench } from './benchCommand.ts'
import { withBenchEngines } from './benchDatabase.ts'
import { benchChat } from './chat.ts'
import { benchReading } from './reading.ts'

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
