import { runBench } from './bench/benchCommand.ts'
import { benchThroughput } from './bench/webhook/throughput.ts'
import { benchVisible } from './bench/webhook/visible.ts'

await runBench({
  name: 'bench:webhook',
  measures: 'Measures the payment webhook: how many deliveries it takes, and how soon a paid pack is a balance',
  parts: { throughput: benchThroughput, visible: benchVisible },
  short: 'each part takes a few seconds; its figures say little.',
  resultsFile: 'webhook.json',
})
