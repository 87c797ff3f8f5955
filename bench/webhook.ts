import { runBench } from './benchCommand.ts'
import { benchThroughput } from './webhook/throughput.ts'
import { benchVisible } from './webhook/visible.ts'

await runBench({
  name: 'bench:webhook',
  measures: 'Measures the payment webhook: its throughput, and the time from a delivery to the visible balance',
  parts: { throughput: benchThroughput, visible: benchVisible },
  short: 'each part takes a few seconds; its figures are not representative.',
  resultsFile: 'webhook.json',
})
