import {
  debtOf,
  LOT_PLACE,
  lotsPage,
  nextExpiry,
  type ShownLot,
} from '../../../../../capabilities/creditLots/shownLots.ts'
import { creditsNumber } from '../../../../../domain/credits.ts'
import { requireCompany } from '../../access/access.ts'
import { type GraphqlContext, nowOf } from '../../context.ts'
import { shownFactor } from '../../credits/shownPrices.ts'
import type { CreditBalance, CreditLot, Resolvers } from '../../generated.ts'
import { cursorOf, pageOf, readCursor, requireFirst } from '../../paging.ts'

const PLACE = new RegExp(`^${LOT_PLACE.source}$`)

export const creditLots: Resolvers = {
  Query: {
    creditLots: async (_source, { first, after }, context) => {
      const companyId = requireCompany(context)
      const limit = requireFirst(first)
      const rows = await lotsPage(context.runtime.engines.database, {
        companyId,
        at: nowOf(context),
        after: readCursor(after, PLACE),
        // One extra row shows whether there is a next page.
        limit: limit + 1,
      })
      const { nodes, pageInfo } = pageOf(rows, limit, ({ place }) => cursorOf(place))
      return { nodes: nodes.map(shownLot), pageInfo }
    },
  },
}

type OfLots = Pick<CreditBalance, 'debtCredits' | 'debtMicros' | 'nextExpiry'>

/** What the lots say about a balance. These are functions, so that they are called only if the fields are requested. */
export function balanceOfLots(context: Pick<GraphqlContext, 'runtime'>, companyId: string): OfLots {
  const { database } = context.runtime.engines
  let debt: Promise<string> | null = null
  const debtMicros = () => (debt ??= debtOf(database, companyId))
  const fields = {
    debtMicros,
    debtCredits: async () => creditsNumber(BigInt(await debtMicros())),
    nextExpiry: async () => {
      const next = await nextExpiry(database, companyId, nowOf(context))
      return next && { ...next, credits: creditsNumber(BigInt(next.micros)) }
    },
  }
  return fields as unknown as OfLots
}

/** Of a balance in the past, because lots show the present only. */
export const NOTHING_OF_LOTS: OfLots = { debtCredits: null, debtMicros: null, nextExpiry: null }

function shownLot({ lotId, source, priority, expiresAt, isExpired, rollover, ...lot }: ShownLot): CreditLot {
  const { grantedMicros, spentMicros, expiredMicros, takenMicros, leftMicros } = lot
  const credits = (micros: string) => creditsNumber(BigInt(micros))
  return {
    ...{ lotId, source, priority: Number(priority), expiresAt, isExpired },
    ...{ grantedMicros, spentMicros, expiredMicros, takenMicros, leftMicros },
    grantedCredits: credits(grantedMicros),
    spentCredits: credits(spentMicros),
    expiredCredits: credits(expiredMicros),
    takenCredits: credits(takenMicros),
    leftCredits: credits(leftMicros),
    rollover: rollover && {
      share: shownFactor(rollover.share),
      expiresAt: new Date(rollover.expiresAtMs).toISOString(),
    },
  }
}
