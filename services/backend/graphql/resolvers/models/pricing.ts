import { listed, routedAliases } from '../../../../../capabilities/setup/setupStatus.ts'
import { pricingStream } from '../../../../../contracts/streams.ts'
import { pricingDecider, requirePriceChanges } from '../../../../../domain/pricing/decider.ts'
import type { PriceChanges } from '../../../../../domain/pricing/preview.ts'
import { isoTime } from '../../../../../platform/clock/clock.ts'
import { databaseNowMs } from '../../../../../platform/postgres/databaseTime.ts'
import { type PriceBookRow, priceBooks as priceBooksModel } from '../../../../../projections/priceBooks/projection.ts'
import {
  newestPriceBooks,
  priceBookById,
  priceBooksFor,
  pricesIn,
} from '../../../../../projections/priceBooks/queries.ts'
import { USAGE_RANGE_DAYS_MAX } from '../../../../../projections/usage/queries.ts'
import { requireSuperAdmin } from '../../access/access.ts'
import { requireRegistered } from '../../access/registeredCompany.ts'
import { apiError } from '../../apiError.ts'
import { type GraphqlContext, nowOf, send, shownIn } from '../../context.ts'
import { previewOf } from '../../credits/pricePreview.ts'
import { pricesOf, shownPrice } from '../../credits/shownPrices.ts'
import type { PriceBook, PriceBookInput, Resolvers } from '../../generated.ts'

const BOOKS_LISTED_MAX = 1_000
const DAY_MS = 86_400_000

export const pricing: Resolvers = {
  Query: {
    priceBook: async (_source, args, context) => {
      requireSuperAdmin(context)
      return booksInForce(context, await knownCompany(context, args.companyId), args.at ?? nowOf(context))
    },

    priceBooks: async (_source, _args, context) => {
      requireSuperAdmin(context)
      return (await newestPriceBooks(context.runtime.engines.database, BOOKS_LISTED_MAX)).map(shownBook)
    },

    previewPriceBook: async (_source, { input, from, to }, context) => {
      requireSuperAdmin(context)
      const changes = await changesOf(context, input)
      requirePriceChanges(changes)
      if (to <= from) throw apiError('BAD_USER_INPUT', 'from must be before to')
      if (Date.parse(to) - Date.parse(from) > USAGE_RANGE_DAYS_MAX * DAY_MS)
        throw apiError('BAD_USER_INPUT', `from and to must be at most ${USAGE_RANGE_DAYS_MAX} days apart`)
      return previewOf(context.runtime, changes, { from, to })
    },
  },

  Mutation: {
    publishPriceBook: async (_source, { input }, context) => {
      requireSuperAdmin(context)
      const bookId = context.runtime.ids.uuid()
      const at = await laterNow(context)
      const changes = await changesOf(context, input)
      const stream = pricingStream(changes.companyId)
      const wanted = input.effectiveFrom ?? null
      const command = { type: 'PublishPriceBook', bookId, effectiveFrom: wanted, ...changes, at } as const
      const { position, events } = await send(context, pricingDecider, stream, command)
      await shownIn(context, priceBooksModel, stream, position)
      const { companyId, prices, retired } = changes
      // A book that was stored late takes effect later than it was decided.
      const stored = await priceBookById(context.runtime.engines.database, bookId)
      const effectiveFrom = stored?.effectiveFrom ?? events[0]?.data.effectiveFrom ?? at
      return {
        ...{ id: bookId, companyId, effectiveFrom, replacesAll: false, publishedAt: at },
        ...{ prices: Object.entries(prices).map((price) => shownPrice(price, bookId)), retired: [...retired] },
        hints: await hintsAt(context, changes, effectiveFrom),
      }
    },
  },
}

/** By the clock of this process or that of the database: a lead that is counted from the later one is never too short. */
async function laterNow({ runtime }: GraphqlContext): Promise<string> {
  return isoTime(Math.max(runtime.clock.now(), await databaseNowMs(runtime.engines.database)))
}

/** The company that the argument names; null if it names none. */
async function knownCompany(context: GraphqlContext, id: string | null | undefined): Promise<string | null> {
  return id == null ? null : requireRegistered(context, id)
}

async function changesOf(context: GraphqlContext, input: PriceBookInput): Promise<PriceChanges> {
  return {
    companyId: await knownCompany(context, input.companyId),
    prices: pricesOf(input.prices ?? []),
    retired: input.retire ?? [],
  }
}

/** Warnings about a price book that was just published. */
async function hintsAt(context: GraphqlContext, changes: PriceChanges, at: string): Promise<string[]> {
  const { config, engines } = context.runtime
  const routed = await routedAliases(config, engines.database)
  if (routed === null) return []
  const prices = pricesIn(await priceBooksFor(engines.database, changes.companyId), at)
  const unpriced = routed.filter((alias) => !prices.has(alias))
  const unrouted = Object.keys(changes.prices).filter((alias) => !routed.includes(alias))
  return [
    ...(unpriced.length > 0 ? [`no price, so calls get 503: ${listed(unpriced)}`] : []),
    ...(unrouted.length > 0 ? [`no provider in PROVIDERS_FILE, so they cannot be called: ${listed(unrouted)}`] : []),
  ]
}

async function booksInForce(context: GraphqlContext, companyId: string | null, at: string): Promise<PriceBook> {
  const books = await priceBooksFor(context.runtime.engines.database, companyId)
  const [newest] = books
    .flat()
    .filter(({ effectiveFrom }) => effectiveFrom <= at)
    .sort((a, b) => (a.effectiveFrom < b.effectiveFrom ? 1 : -1))
  if (!newest) throw apiError('NOT_FOUND', `no price book is in force at ${at}: ${whatToDo(books.flat())}`)
  const prices = pricesIn(books, at)
  return {
    ...{ id: newest.bookId, companyId, effectiveFrom: newest.effectiveFrom, publishedAt: newest.publishedAt },
    ...{ retired: [], replacesAll: false, hints: [] },
    prices: [...prices]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([alias, price]) => shownPrice([alias, price], price.bookId)),
  }
}

/** After the clock is set back, an installation with price books may have no prices in force. */
function whatToDo(later: readonly PriceBookRow[]): string {
  const [first] = later.map(({ effectiveFrom }) => effectiveFrom).sort()
  return first === undefined ? 'publishPriceBook publishes one' : `the first one begins at ${first}`
}

function shownBook(row: PriceBookRow): PriceBook {
  const { bookId: id, companyId, effectiveFrom, replacesAll, publishedAt } = row
  const prices = Object.entries(row.prices).map((price) => shownPrice(price, id))
  return { id, companyId, effectiveFrom, prices, retired: [...row.retired], replacesAll, publishedAt, hints: [] }
}
