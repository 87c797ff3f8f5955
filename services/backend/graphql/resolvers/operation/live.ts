import { creditsNumber } from '../../../../../domain/credits.ts'
import { apiKeyOf } from '../../../../../projections/apiKeys/queries.ts'
import type { CallRow } from '../../../../../projections/calls/projection.ts'
import { requireCompany } from '../../access/access.ts'
import { onlyKeysOf } from '../../access/visibleKeys.ts'
import type { GraphqlContext } from '../../context.ts'
import type { Resolvers } from '../../generated.ts'
import { shownCall } from '../../shownCall.ts'
import { guardedStream, requireSocket } from '../../sockets/guardedStream.ts'
import { balanceOfLots } from '../payments/creditLots.ts'

/** The balance of a busy company changes with every call, faster than people can read. */
const BALANCE_INTERVAL_MS = 250
/** Keys that one subscription remembers. */
const KEYS_REMEMBERED_MAX = 1_000

export const live: Resolvers = {
  SubscriptionRoot: {
    balanceChanged: {
      subscribe: (_source, _args, context) => {
        const companyId = requireCompany(context)
        requireSocket(context, 'balanceChanged')
        return guardedStream(context, {
          open: () => context.live.balance(companyId),
          shown: ({ amountMicros, updatedAt }) => [
            {
              balanceChanged: {
                ...{ credits: creditsNumber(BigInt(amountMicros)), amountMicros, updatedAt },
                ...balanceOfLots(context, companyId),
              },
            },
          ],
          intervalMs: BALANCE_INTERVAL_MS,
        })
      },
    },

    callFinished: {
      subscribe: (_source, _args, context) => {
        const companyId = requireCompany(context)
        requireSocket(context, 'callFinished')
        const isVisible = visibleTo(context, companyId)
        return guardedStream(context, {
          open: () => context.live.calls(companyId),
          shown: async (row) =>
            (await isVisible(row)) ? [{ callFinished: shownCall(row, context.runtime.engines.store) }] : [],
        })
      },
    },
  },
}

/** Developers see the calls of their own keys. Who minted a key never changes, so it is looked up once. */
function visibleTo(context: GraphqlContext, companyId: string): (row: CallRow) => boolean | Promise<boolean> {
  const owner = onlyKeysOf(context)
  if (owner === null) return () => true
  const known = new Map<string, boolean>()
  return async ({ keyId }) => {
    const before = known.get(keyId)
    if (before !== undefined) return before
    const key = await apiKeyOf(context.runtime.engines.database, companyId, keyId)
    if (!key) return false
    if (known.size >= KEYS_REMEMBERED_MAX) known.clear()
    known.set(keyId, key.mintedBy === owner)
    return key.mintedBy === owner
  }
}
