import { openPaymentLists } from '../../../../../capabilities/payments/paymentLists.ts'
import type { ShownFinding } from '../../../../../capabilities/reconciliation/explainedFindings.ts'
import { reconcileMonth } from '../../../../../capabilities/reconciliation/reconcileMonth.ts'
import type { Credits, Money } from '../../../../../capabilities/reconciliation/tally.ts'
import { MONTH } from '../../../../../contracts/events/postpaid.ts'
import { type StreamName, streamName } from '../../../../../contracts/streams.ts'
import { creditsNumber } from '../../../../../domain/credits.ts'
import { differenceDecider } from '../../../../../domain/difference/decider.ts'
import { monthOf } from '../../../../../domain/postpaid/month.ts'
import type { CostTotals } from '../../../../../projections/dailyMargins/queries.ts'
import { trail } from '../../../../../projections/trail/projection.ts'
import { requireSuperAdmin } from '../../access/access.ts'
import { apiError } from '../../apiError.ts'
import { type GraphqlContext, nowOf, send, shownIn } from '../../context.ts'
import type { CreditTotal, MoneyTotal, ProviderCost, ReconciliationFinding, Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'

/** More would take too long for a request. The schema states the same limit. */
const PAYMENTS_MAX = 5_000

export const reconciliation: Resolvers = {
  Query: {
    reconciliation: async (_source, { month }, context) => {
      requireSuperAdmin(context)
      if (!MONTH.test(month)) throw apiError('BAD_USER_INPUT', `month must be YYYY-MM, not ${JSON.stringify(month)}`)
      if (month > monthOf(nowOf(context))) throw apiError('BAD_USER_INPUT', `${month} has not begun`)
      const { engines, clock, config } = context.runtime
      const parts = { database: engines.database, lists: openPaymentLists(config), clock }
      const { totals, differences, explained, costs, ...found } = await reconcileMonth(parts, month, {
        paymentsMax: PAYMENTS_MAX,
      })
      return {
        ...found,
        matches: found.differenceCount === 0,
        differences: differences.map(shownFinding),
        explained: explained.map(shownFinding),
        payments: totals.payments.map(shownMoney),
        refunds: totals.refunds.map(shownMoney),
        otherPayments: totals.otherPayments.map(shownMoney),
        granted: shownCredits(totals.granted),
        settled: shownCredits(totals.settled),
        takenBack: shownCredits(totals.takenBack),
        grantedByHand: shownCredits(totals.grantedByHand),
        costs: costs.map(shownCost),
      }
    },
  },

  Mutation: {
    explainDifference: async (_source, { id, reason }, context) => {
      const { userId: by } = requireSuperAdmin(context)
      const differenceId = requireId(id, 'difference')
      const stream = streamName('difference', differenceId)
      const command = { type: 'ExplainDifference', differenceId, reason, by, at: nowOf(context) } as const
      const { position } = await send(context, differenceDecider, stream, command)
      await shownIn(context, trail, stream, position)
      const explained = await differenceOf(context, stream)
      return { id: differenceId, ...explained }
    },
  },
}

/** The newest explanation, which may be an earlier one with the same reason. */
async function differenceOf({ runtime }: GraphqlContext, stream: StreamName<'difference'>) {
  let newest = { reason: '', explainedAt: '' }
  for await (const { data } of runtime.engines.store.readStream(stream)) {
    newest = { reason: data.reason, explainedAt: data.explainedAt }
  }
  return newest
}

function shownFinding({ reference, explanation, ...finding }: ShownFinding): ReconciliationFinding {
  const [kind, id = null] = reference?.split(' ') ?? []
  const shown = { ...finding, explanation: explanation && { id: finding.id, ...explanation } }
  return { ...shown, purchaseId: kind === 'purchase' ? id : null, invoiceId: kind === 'invoice' ? id : null }
}

function shownMoney({ amountMinor, ...money }: Money): MoneyTotal {
  return { ...money, amountMinor: String(amountMinor) }
}

function shownCredits({ count, amountMicros }: Credits): CreditTotal {
  return { count, credits: creditsNumber(amountMicros), amountMicros: String(amountMicros) }
}

function shownCost(row: CostTotals): ProviderCost {
  const isCostKnown = row.costCurrency !== ''
  return {
    alias: row.alias,
    provider: row.provider === '' ? null : row.provider,
    currency: isCostKnown ? row.costCurrency : null,
    calls: Number(row.calls),
    failures: Number(row.failures),
    chargedMicros: row.chargedMicros,
    costMicros: isCostKnown ? row.costMicros : null,
  }
}
