import { benchCompanyAudit } from './bench/audit/company.ts'
import { runBench } from './bench/benchCommand.ts'

await runBench({
  name: 'bench:audit',
  measures: 'Measures the time and the memory of an audit of a million entries, beside a bare read of the same rows',
  parts: { company: benchCompanyAudit },
  short: 'the ledger has 20,000 entries; nothing is written.',
  resultsFile: 'audit.json',
})
