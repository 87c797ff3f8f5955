import { ReceiptFault, TransparencyLogShorter } from '../../../../../capabilities/transparency/entryReceipt.ts'
import { TransparencyLogIncomplete } from '../../../../../capabilities/transparency/reader.ts'
import { requireCompany } from '../../access/access.ts'
import { apiError } from '../../apiError.ts'
import type { Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'

export const receipts: Resolvers = {
  Query: {
    ledgerReceipt: async (_source, { eventId, since }, context) => {
      const companyId = requireCompany(context)
      const id = requireId(eventId, 'ledger event')
      if (since != null && since < 0)
        throw apiError('BAD_USER_INPUT', `since is the size of a checkpoint, not ${since}`)
      const receipt = await context.receipts
        .read(companyId, id, { since: since ?? undefined })
        .catch((error: unknown) => {
          throw shownFault(error)
        })
      if (receipt !== null) return receipt
      throw apiError('NOT_FOUND', `there is no ledger event ${id}, or no signed checkpoint of the log covers it yet`)
    },
  },
}

function shownFault(error: unknown): unknown {
  if (error instanceof TransparencyLogShorter) return apiError('BAD_USER_INPUT', error.message)
  if (error instanceof ReceiptFault || error instanceof TransparencyLogIncomplete) {
    return apiError('INTERNAL_SERVER_ERROR', error.message)
  }
  return error
}
