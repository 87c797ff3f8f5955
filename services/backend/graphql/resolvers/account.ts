import { requireUser } from '../access.ts'
import type { Resolvers } from '../generated.ts'

export const account: Resolvers = {
  Query: {
    whoAmI: (_source, _args, context) => {
      const { userId, email, isSuperAdmin } = requireUser(context)
      return { id: userId, email, isSuperAdmin }
    },
  },
}
