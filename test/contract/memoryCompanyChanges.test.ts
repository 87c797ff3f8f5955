import { MemoryCompanyChanges } from '../../platform/sharedState/memorySharedState.ts'
import { companyChangesContract } from './companyChanges.ts'

companyChangesContract('changes of companies in memory', async () => {
  // Its engine is the process itself.
  const changes = new MemoryCompanyChanges()
  return { open: async () => changes, close: async () => {} }
})
