import { boundaryAt } from '../../../../../capabilities/statements/ledgerBoundary.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { creditsNumber, creditsOf } from '../../../../../domain/credits.ts'
import { requireText, requireTextOrNull } from '../../../../../domain/text.ts'
import { isoTime } from '../../../../../platform/clock/clock.ts'
import type { Engines } from '../../../../../platform/engines.ts'
import { balanceOf } from '../../../../../projections/creditBalances/queries.ts'
import type { CreditTransactionRow } from '../../../../../projections/creditTransactions/projection.ts'
import { transactionsPage } from '../../../../../projections/creditTransactions/queries.ts'
import { requireCompany, requireSuperAdmin } from '../../access/access.ts'
import { requireRegistered } from '../../access/registeredCompany.ts'
import type { GraphqlContext } from '../../context.ts'
import { adjustCredits } from '../../credits/adjustCredits.ts'
import { grantCredits } from '../../credits/grantCredits.ts'
import type { CreditTransaction, Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'
import { pageOf, readTimeCursor, requireFirst, timeCursorOf } from '../../paging.ts'
import { balanceOfLots, NOTHING_OF_LOTS } from './creditLots.ts'

const REASON_CHARS_MAX = 500
const IDEMPOTENCY_KEY_CHARS_MAX = 255

export const credits: Resolvers = {
  Query: {
    creditBalance: async (_source, { at }, context) => {
      const companyId = requireCompany(context)
      if (at != null) return balanceAt(context, companyId, at)
      const row = await balanceOf(context.runtime.engines.database, companyId)
      const amountMicros = row?.balanceMicros ?? '0'
      return { ...amountOf(amountMicros), updatedAt: row?.updatedAt ?? null, ...balanceOfLots(context, companyId) }
    },

    creditTransactions: async (_source, { first, after, type, from, to }, context) => {
      const companyId = requireCompany(context)
      const limit = requireFirst(first)
      const place = readTimeCursor(after, /\d{1,18}/)
      const rows = await transactionsPage(context.runtime.engines.database, {
        companyId,
        type: type ?? null,
        from: from ?? null,
        to: to ?? null,
        before: place && { occurredAt: place.time, revision: place.id },
        // One extra row shows whether there is a next page.
        limit: limit + 1,
      })
      const { nodes, pageInfo } = pageOf(rows, limit, (row) => timeCursorOf(row.occurredAt, row.revision))
      return { nodes: nodes.map(shownTransaction), pageInfo }
    },
  },

  Mutation: {
    grantCredits: async (_source, args, context) => {
      requireSuperAdmin(context)
      const companyId = await requireRegistered(context, args.companyId)
      const { id, data } = await grantCredits(context, {
        companyId,
        amountMicros: creditsOf(args.credits),
        reason: requireText(args.reason, 'reason', REASON_CHARS_MAX),
        expiresAt: args.expiresAt ?? null,
        isPromotional: args.promotional ?? false,
        idempotencyKey: requireTextOrNull(args.idempotencyKey ?? null, 'idempotencyKey', IDEMPOTENCY_KEY_CHARS_MAX),
      })
      const { source: type, amountMicros, reason: description, grantedAt: createdAt } = data
      return { id, type, ...amountOf(amountMicros), description, callId: null, corrects: null, createdAt }
    },

    adjustCredits: async (_source, args, context) => {
      const { userId: by } = requireSuperAdmin(context)
      const companyId = await requireRegistered(context, args.companyId)
      const { id, data } = await adjustCredits(context, {
        companyId,
        amountMicros: creditsOf(args.credits),
        reason: requireText(args.reason, 'reason', REASON_CHARS_MAX),
        corrects: args.corrects == null ? null : requireId(args.corrects, 'transaction'),
        by,
        idempotencyKey: requireTextOrNull(args.idempotencyKey ?? null, 'idempotencyKey', IDEMPOTENCY_KEY_CHARS_MAX),
      })
      const { amountMicros, reason: description, corrects, adjustedAt: createdAt } = data
      return { id, type: 'ADJUSTMENT', ...amountOf(amountMicros), description, callId: null, corrects, createdAt }
    },
  },
}

/** From the ledger itself, which may be ahead of the read model that shows the present balance. */
async function balanceAt({ runtime: { engines } }: GraphqlContext, companyId: string, at: string) {
  const { balanceMicros, revision } = await boundaryAt(engines, companyId, justAfter(at))
  // A function, so that it is called only if the field is requested.
  const updatedAt = (() => storedAt(engines, companyId, revision - 1)) as unknown as string | null
  return { ...amountOf(balanceMicros.toString()), updatedAt, ...NOTHING_OF_LOTS }
}

/** When the last entry up to a revision was stored; null if there is none. */
async function storedAt({ store }: Engines, companyId: string, revision: number): Promise<string | null> {
  if (revision < 0) return null
  const last = { direction: 'backwards', from: revision, limit: 1 } as const
  for await (const { recordedAt } of store.readStream(streamName('ledger', companyId), last)) return recordedAt
  return null
}

const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z')
/** Times of the ledger are in milliseconds. */
const justAfter = (time: string): string => isoTime(Math.min(Date.parse(time) + 1, LATEST_MS))

function amountOf(amountMicros: string): { credits: number; amountMicros: string } {
  return { credits: creditsNumber(BigInt(amountMicros)), amountMicros }
}

function shownTransaction(row: CreditTransactionRow): CreditTransaction {
  return {
    id: row.transactionId,
    type: row.type as CreditTransaction['type'],
    ...amountOf(row.amountMicros),
    description: row.reason ?? `${row.alias}: ${row.tokensIn} tokens in, ${row.tokensOut} out`,
    callId: row.callId,
    corrects: row.corrects ?? null,
    createdAt: row.occurredAt,
  }
}
