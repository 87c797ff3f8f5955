import { type LeaseTerm, readLeases } from '../../../../../platform/leases/leases.ts'
import { requireSuperAdmin } from '../../access/access.ts'
import type { Resolvers } from '../../generated.ts'

/** Changes of subscriptions leave one for each company. */
const LEASES_SHOWN_MAX = 100

export const leases: Resolvers = {
  Query: {
    leases: async (_source, _args, context) => {
      requireSuperAdmin(context)
      const all = await readLeases(context.runtime.engines.database)
      return all
        .toSorted(heldFirst)
        .slice(0, LEASES_SHOWN_MAX)
        .map(({ msLeft, ...rest }) => ({ ...rest, isHeld: msLeft > 0 }))
    },
  },
}

/** Those that are held by name, then those that ended last. */
function heldFirst(a: LeaseTerm, b: LeaseTerm): number {
  if (a.msLeft > 0 && b.msLeft > 0) return 0
  return b.msLeft - a.msLeft
}
