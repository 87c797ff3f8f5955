import { requireSuperAdmin } from '../access.ts'
import { apiError } from '../apiError.ts'
import type { Resolvers } from '../generated.ts'
import { watchLog } from '../logWatch.ts'

export const logs: Resolvers = {
  SubscriptionRoot: {
    logStream: {
      subscribe: (_source, _args, context) => {
        requireSuperAdmin(context)
        if (context.transport !== 'websocket') {
          throw apiError('BAD_USER_INPUT', 'logStream is served over WebSocket (graphql-transport-ws) on /graphql')
        }
        return watchLog(context)
      },
    },
  },
}
