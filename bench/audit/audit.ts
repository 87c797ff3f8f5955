import { auditCompany } from '../../scripts/audit/compare.ts'
import { withInstallation } from '../../scripts/cli/withInstallation.ts'
import { printMeasured } from './measured.ts'

const [companyId = ''] = process.argv.slice(2)

await withInstallation((engines) =>
  printMeasured(async () => {
    const { replay, firstDifference } = await auditCompany(engines, companyId, null)
    if (firstDifference || replay.events === 0) throw new Error(`the audit found ${JSON.stringify(firstDifference)}`)
  }),
)
