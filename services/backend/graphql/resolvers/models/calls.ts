import { apiKeyOf } from '../../../../../projections/apiKeys/queries.ts'
import { callOf, callsPage } from '../../../../../projections/calls/queries.ts'
import { requireCompany } from '../../access/access.ts'
import { onlyKeysOf, requireVisibleKey } from '../../access/visibleKeys.ts'
import { notFound } from '../../apiError.ts'
import type { Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'
import { pageOf, readTimeCursor, requireFirst, timeCursorOf } from '../../paging.ts'
import { shownCall, shownCalls } from '../../shownCall.ts'

export const calls: Resolvers = {
  Query: {
    calls: async (_source, args, context) => {
      const companyId = requireCompany(context)
      const { database } = context.runtime.engines
      const limit = requireFirst(args.first)
      const place = readTimeCursor(args.after, /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/)
      const keyId = args.keyId == null ? null : (await requireVisibleKey(context, args.keyId)).keyId
      const { alias = null, label = null, state = null, from = null, to = null } = args
      const filters = {
        companyId,
        keyId,
        mintedBy: onlyKeysOf(context),
        alias,
        label,
        state,
        from,
        to,
        before: place && { finishedAt: place.time, callId: place.id },
      }
      // One extra row shows whether there is a next page.
      const rows = await callsPage(database, { ...filters, limit: limit + 1 })
      const { nodes, pageInfo } = pageOf(rows, limit, (row) => timeCursorOf(row.finishedAt, row.callId))
      return { nodes: shownCalls(nodes, context.runtime.engines.store), pageInfo }
    },

    call: async (_source, { id }, context) => {
      const companyId = requireCompany(context)
      const row = await callOf(context.runtime.engines.database, companyId, requireId(id, 'call'))
      const owner = onlyKeysOf(context)
      const key = row && owner !== null ? await apiKeyOf(context.runtime.engines.database, companyId, row.keyId) : null
      if (!row || (owner !== null && key?.mintedBy !== owner)) throw notFound('call', id)
      return shownCall(row, context.runtime.engines.store)
    },
  },
}
