import { systemClock } from '../../platform/clock/clock.ts'
import { PostgresCompanyChanges } from '../../platform/sharedState/companyChanges/postgresCompanyChanges.ts'
import { openTestDatabase } from '../support/databases/openTestDatabase.ts'
import { companyChangesContract } from './companyChanges.ts'

companyChangesContract('changes of companies in Postgres', async () => {
  const { database, close } = await openTestDatabase('migrated')
  return { open: async () => new PostgresCompanyChanges(database, systemClock), close }
})
