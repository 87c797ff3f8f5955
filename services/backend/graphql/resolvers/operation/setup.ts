import { setupStatus } from '../../../../../capabilities/setup/setupStatus.ts'
import { requireSuperAdmin } from '../../access/access.ts'
import type { Resolvers } from '../../generated.ts'

export const setup: Resolvers = {
  Query: {
    setupStatus: async (_source, _args, context) => {
      requireSuperAdmin(context)
      const { config, engines, clock } = context.runtime
      return setupStatus({ config, database: engines.database, clock })
    },
  },
}
