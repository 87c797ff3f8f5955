import { requireSuperAdmin } from '../../access/access.ts'
import type { Resolvers } from '../../generated.ts'
import { requireSocket } from '../../sockets/guardedStream.ts'
import { watchLog } from '../../sockets/logWatch.ts'

export const logs: Resolvers = {
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
