import { majorUnits } from '../../../../../domain/price.ts'
import type { DisputeRow } from '../../../../../projections/disputes/projection.ts'
import { disputesAfter } from '../../../../../projections/disputes/queries.ts'
import { requireSuperAdmin } from '../../access/access.ts'
import type { Dispute, Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'
import { pageOf, readTimeCursor, requireFirst, timeCursorOf } from '../../paging.ts'

const DISPUTE_ID = /[A-Za-z0-9_-]{1,200}/

/** Chargebacks of all companies. */
export const disputes: Resolvers = {
  Query: {
    disputes: async (_source, { first, after, companyId }, context) => {
      requireSuperAdmin(context)
      const limit = requireFirst(first)
      const place = readTimeCursor(after, DISPUTE_ID)
      const rows = await disputesAfter(context.runtime.engines.database, {
        companyId: companyId == null ? null : requireId(companyId, 'company'),
        after: place,
        limit: limit + 1,
      })
      const { nodes, pageInfo } = pageOf(rows, limit, (row) => timeCursorOf(row.openedAt, row.disputeId))
      return { nodes: nodes.map(shownDispute), pageInfo }
    },
  },
}

function shownDispute({ disputeId, amountMinor, ...row }: DisputeRow): Dispute {
  return { ...row, id: disputeId, amount: Number(majorUnits(amountMinor, row.currency)) }
}
