import { creditsNumber } from '../../../../../domain/credits.ts'
import { isoTime } from '../../../../../platform/clock/clock.ts'
import { type MarginTotals, marginsByGroup } from '../../../../../projections/dailyMargins/queries.ts'
import { dayOf } from '../../../../../projections/dailyTokens/projection.ts'
import { requireSuperAdmin } from '../../access/access.ts'
import { apiError } from '../../apiError.ts'
import type { MarginEntry, Resolvers } from '../../generated.ts'

const DAY_MS = 86_400_000
const RANGE_DAYS_MAX = 366
const GROUPS = { ALIAS: 'alias', PROVIDER: 'provider', DAY: 'day' } as const

export const margin: Resolvers = {
  Query: {
    margin: async (_source, args, context) => {
      requireSuperAdmin(context)
      const groupBy = GROUPS[args.groupBy ?? 'ALIAS']
      const totals = await marginsByGroup(context.runtime.engines.database, { ...daysOf(args), groupBy })
      return totals.map(shownMargin)
    },
  },
}

function daysOf({ from, to }: { readonly from: string; readonly to: string }): { firstDay: string; lastDay: string } {
  const fromMs = Date.parse(from)
  const toMs = Date.parse(to)
  if (fromMs >= toMs) throw apiError('BAD_USER_INPUT', 'from must be before to')
  if (toMs - fromMs > RANGE_DAYS_MAX * DAY_MS) {
    throw apiError('BAD_USER_INPUT', `from and to must be at most ${RANGE_DAYS_MAX} days apart`)
  }
  return { firstDay: dayOf(isoTime(fromMs)), lastDay: dayOf(isoTime(toMs - 1)) }
}

function shownMargin(row: MarginTotals): MarginEntry {
  const isCostKnown = row.costCurrency !== ''
  return {
    group: row.group === '' ? null : row.group,
    currency: isCostKnown ? row.costCurrency : null,
    calls: Number(row.calls),
    failures: Number(row.failures),
    credits: creditsNumber(BigInt(row.chargedMicros)),
    amountMicros: row.chargedMicros,
    // The cost has six decimals too.
    cost: isCostKnown ? creditsNumber(BigInt(row.costMicros)) : null,
    costMicros: isCostKnown ? row.costMicros : null,
  }
}
