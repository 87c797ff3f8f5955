import { readModelStatuses } from '../../../../../capabilities/readModels/readModelStatus.ts'
import { requireSuperAdmin } from '../../access/access.ts'
import type { Resolvers } from '../../generated.ts'

export const readModels: Resolvers = {
  Query: {
    readModels: async (_source, _args, context) => {
      requireSuperAdmin(context)
      const { config, clock, engines } = context.runtime
      const { database, store } = engines
      return readModelStatuses({ database, store, usesKafka: config.KAFKA_BROKERS !== undefined }, clock.now())
    },
  },
}
