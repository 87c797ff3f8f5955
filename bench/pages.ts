import { runBench } from './benchCommand.ts'
import { benchPages, preparePages } from './pages/pages.ts'

await runBench({
  name: 'bench:pages',
  measures:
    "Measures how long the data of each page of the console takes with a million calls in a company's ledger, beside the " +
    'same page of a company with 10,000 calls',
  parts: { pages: benchPages },
  prepare: preparePages,
  short: 'the ledgers have 50,000 and 2,000 calls; nothing is written.',
  resultsFile: 'pages.json',
})
