import { readModelStatuses } from '../../../../../capabilities/readModels/readModelStatus.ts'
import { setupStatus } from '../../../../../capabilities/setup/setupStatus.ts'
import { type LeaseTerm, readLeases } from '../../../../../platform/leases/leases.ts'
import { requireSuperAdmin } from '../../access/access.ts'
import type { Resolvers } from '../../generated.ts'
import { requireSocket } from '../../sockets/guardedStream.ts'
import { watchLog } from '../../sockets/logWatch.ts'

/** Changes of subscriptions leave one for each company. */
const LEASES_SHOWN_MAX = 100

/** The installation's state, for super admins. */
export const installation: Resolvers = {
  Query: {
    setupStatus: async (_source, _args, context) => {
      requireSuperAdmin(context)
      const { config, engines, clock } = context.runtime
      return setupStatus({ config, database: engines.database, clock })
    },
    readModels: async (_source, _args, context) => {
      requireSuperAdmin(context)
      const { config, clock, engines } = context.runtime
      const { database, store } = engines
      return readModelStatuses({ database, store, usesKafka: config.KAFKA_BROKERS !== undefined }, clock.now())
    },
    leases: async (_source, _args, context) => {
      requireSuperAdmin(context)
      const all = await readLeases(context.runtime.engines.database)
      return all
        .toSorted(heldFirst)
        .slice(0, LEASES_SHOWN_MAX)
        .map(({ msLeft, ...rest }) => ({ ...rest, isHeld: msLeft > 0 }))
    },
  },
  SubscriptionRoot: {
    logStream: {
      subscribe: (_source, _args, context) => {
        requireSuperAdmin(context)
        requireSocket(context, 'logStream')
        return watchLog(context)
      },
    },
  },
}

/** Held leases by name, then the most recently ended ones. */
function heldFirst(a: LeaseTerm, b: LeaseTerm): number {
  if (a.msLeft > 0 && b.msLeft > 0) return 0
  return b.msLeft - a.msLeft
}
