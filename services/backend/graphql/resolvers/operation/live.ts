import { creditsNumber } from '../../../../../domain/credits.ts'
import type { CallRow } from '../../../../../projections/calls/projection.ts'
import { requireCompany } from '../../access/access.ts'
import { isVisibleCall, onlySeenBy } from '../../access/visibleKeys.ts'
import type { GraphqlContext } from '../../context.ts'
import type { Resolvers } from '../../generated.ts'
import { shownCall } from '../../shownCall.ts'
import { guardedStream, requireSocket } from '../../sockets/guardedStream.ts'
import { balanceOfLots } from '../payments/creditLots.ts'

/** The balance of a busy company changes with every call, faster than people can read. */
const BALANCE_INTERVAL_MS = 250
/** A developer who leaves a project stops seeing its calls after this long. */
const VISIBILITY_KEPT_MS = 5_000
/** Pairs of a key and a project that one subscription remembers. */
const PLACES_REMEMBERED_MAX = 1_000

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
        const isVisible = visibleTo(context)
        return guardedStream(context, {
          open: () => context.live.calls(companyId),
          shown: async (row) =>
            (await isVisible(row)) ? [{ callFinished: shownCall(row, context.runtime.engines.store) }] : [],
        })
      },
    },
  },
}

/** Keys and members of projects may change, so what a developer may see is asked for again. */
function visibleTo(context: GraphqlContext): (row: CallRow) => boolean | Promise<boolean> {
  if (onlySeenBy(context) === null) return () => true
  const { clock } = context.runtime
  const known = new Map<string, { readonly isVisible: boolean; readonly untilMs: number }>()
  return async (row) => {
    const place = `${row.keyId} ${row.projectId}`
    const before = known.get(place)
    if (before && clock.now() < before.untilMs) return before.isVisible
    const isVisible = await isVisibleCall(context, row)
    if (known.size >= PLACES_REMEMBERED_MAX) known.clear()
    known.set(place, { isVisible, untilMs: clock.now() + VISIBILITY_KEPT_MS })
    return isVisible
  }
}
