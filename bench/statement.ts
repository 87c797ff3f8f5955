import { runBench } from './benchCommand.ts'
import { benchStatement } from './statement/statement.ts'

await runBench({
  name: 'bench:statement',
  measures: 'Measures the time and the memory of a statement of a million entries, beside a bare read of the same rows',
  parts: { csv: benchStatement },
  short: 'the ledger has 20,000 entries; nothing is written.',
  resultsFile: 'statement.json',
})
