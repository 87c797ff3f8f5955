import { openPaymentLists } from '../../../../../capabilities/payments/paymentLists.ts'
import { reconcileMonth } from '../../../../../capabilities/reconciliation/reconcileMonth.ts'
import type { Credits, Money } from '../../../../../capabilities/reconciliation/tally.ts'
import { MONTH } from '../../../../../contracts/events/postpaid.ts'
import { creditsNumber } from '../../../../../domain/credits.ts'
import { monthOf } from '../../../../../domain/postpaid/month.ts'
import type { Finding } from '../../../../../domain/reconciliation/match.ts'
import type { CostTotals } from '../../../../../projections/dailyMargins/queries.ts'
import { requireSuperAdmin } from '../../access/access.ts'
import { apiError } from '../../apiError.ts'
import { nowOf } from '../../context.ts'
import type { CreditTotal, MoneyTotal, ProviderCost, ReconciliationFinding, Resolvers } from '../../generated.ts'

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
}

function shownFinding({ reference, ...finding }: Finding): ReconciliationFinding {
  const [kind, id = null] = reference?.split(' ') ?? []
  return { ...finding, purchaseId: kind === 'purchase' ? id : null, invoiceId: kind === 'invoice' ? id : null }
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
