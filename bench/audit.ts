import { benchCompanyAudit } from './audit/company.ts'
import { benchTransparencyAudit } from './audit/transparency.ts'
import { runBench } from './benchCommand.ts'

await runBench({
  name: 'bench:audit',
  measures:
    'Measures the time and the memory of audits, of one company with a million entries and of the transparency log, ' +
    'beside a bare read of the same rows',
  parts: { company: benchCompanyAudit },
  optionalParts: { log: { measure: benchTransparencyAudit, resultsFile: 'audit-log.json', missing: () => null } },
  short: 'the ledger has 20,000 entries; nothing is written.',
  resultsFile: 'audit.json',
})
