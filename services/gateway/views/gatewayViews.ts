import type { Recorded } from '../../../contracts/envelope.ts'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import { BEGINNING, type Checkpoint, type Position } from '../../../contracts/position.ts'
import { type Category, streamName } from '../../../contracts/streams.ts'
import { apiKeys } from '../../../projections/apiKeys/projection.ts'
import { allApiKeys } from '../../../projections/apiKeys/queries.ts'
import { companies } from '../../../projections/companies/projection.ts'
import { allCompanies } from '../../../projections/companies/queries.ts'
import { creditBalances } from '../../../projections/creditBalances/projection.ts'
import { allBalances } from '../../../projections/creditBalances/queries.ts'
import { invoices } from '../../../projections/invoices/projection.ts'
import { unpaidInvoices } from '../../../projections/invoices/queries.ts'
import { priceBooks } from '../../../projections/priceBooks/projection.ts'
import { allPriceBooks } from '../../../projections/priceBooks/queries.ts'
import { readCheckpoint } from '../../../projections/runner/checkpoints.ts'
import type { Database, Feed, FeedSubscription, Sql } from '../../../projections/runner/ports.ts'
import { readModelSnapshot } from '../../../projections/runner/snapshot.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import { storeFeed } from '../../platform/feed/storeFeed.ts'
import type { Log } from '../../platform/log/log.ts'
import { BalanceView } from './balances.ts'
import { CompanyView } from './companies.ts'
import { InvoiceView } from './invoices.ts'
import { KeyView } from './keys.ts'
import { PriceView } from './prices.ts'

export type GatewayViews = {
  readonly keys: KeyView
  readonly companies: CompanyView
  readonly invoices: InvoiceView
  readonly prices: PriceView
  readonly balances: BalanceView
  /** A balance without held charges, and the ledger position that it includes, both read at the same moment. */
  ledgerSeen(companyId: string): LedgerSeen
  /** The position that each view has reached, by category and partition of the feed. */
  reached(): Readonly<Record<string, Checkpoint>>
  stop(): Promise<void>
}

export type LedgerSeen = { readonly balanceMicros: bigint; readonly position: Position }

export type ViewSources = {
  readonly database: Database
  readonly store: TypedEventStore
  readonly feed: Feed
  readonly clock: Clock
  readonly log: Log
}

type View<C extends Category> = { apply(event: Recorded<EventOf<C>>): void }

const SEEDS = [apiKeys, companies, invoices, priceBooks, creditBalances]
const RETRY_DELAY_MS = 500

/**
 * Opens the in-memory views that keep the database off the hot path. They are loaded from the read models in one
 * snapshot and then follow the events: the small control streams directly from the event store, so that a revoked key is
 * refused without delay, the ledger from the feed. Resolves when the views have reached the head of the store.
 */
export async function openViews(sources: ViewSources): Promise<GatewayViews> {
  const { store, feed } = sources
  const views = {
    keys: new KeyView(),
    companies: new CompanyView(),
    invoices: new InvoiceView(),
    prices: new PriceView(),
    balances: new BalanceView({ idsAreUnique: feed.idsAreUnique }),
  }
  const head = await store.head()
  const from = await readModelSnapshot(sources.database, SEEDS, (sql) => seed(sql, views))

  const stopping = new AbortController()
  const straight = storeFeed(store)
  const followed = <C extends Category>(view: View<C>, source: Feed, category: C, checkpoint: Checkpoint) => {
    const start = divided(checkpoint, source.partitionsOf([category]))
    return follow({ ...sources, feed: source }, { view, category, start, head, signal: stopping.signal })
  }
  const ledger = followed(views.balances, feed, 'ledger', from.balances)
  const followers = [
    followed(views.keys, straight, 'apiKey', from.keys),
    followed(views.companies, straight, 'company', from.companies),
    followed(views.invoices, straight, 'invoice', from.invoices),
    followed(views.prices, straight, 'pricing', from.prices),
    ledger,
  ]
  await Promise.all(followers.map((follower) => follower.caughtUp))
  return {
    ...views,
    ledgerSeen: (companyId) => ({
      balanceMicros: views.balances.unheldMicros(companyId),
      position: ledger.reached()[feed.partitionOf(streamName('ledger', companyId))] ?? BEGINNING,
    }),
    reached: () => Object.fromEntries(followers.map(({ category, reached }) => [category, reached()])),
    stop: async () => {
      stopping.abort()
      await Promise.all(followers.map((follower) => follower.ended))
    },
  }
}

async function seed(sql: Sql, views: Pick<GatewayViews, 'keys' | 'companies' | 'invoices' | 'prices' | 'balances'>) {
  const seeded = async (projection: string, load: () => Promise<void>): Promise<Checkpoint> => {
    const checkpoint = await readCheckpoint(sql, projection)
    // Without a checkpoint the projector has never run and there is no table; everything comes from the events.
    if (!checkpoint) return {}
    await load()
    return checkpoint.positions
  }
  return {
    keys: await seeded('api-keys', async () => views.keys.seed(await allApiKeys(sql))),
    companies: await seeded('companies', async () => views.companies.seed(await allCompanies(sql))),
    invoices: await seeded('invoices', async () => views.invoices.seed(await unpaidInvoices(sql))),
    prices: await seeded('price-books', async () => views.prices.seed(await allPriceBooks(sql))),
    balances: await seeded('credit-balances', async () => views.balances.seed(await allBalances(sql))),
  }
}

type Following<C extends Category> = {
  readonly view: View<C>
  readonly category: C
  readonly start: Checkpoint
  readonly head: Position
  readonly signal: AbortSignal
}

/** Applies every batch. Subscribes again from the position reached when the store or the feed fails. */
function follow<C extends Category>(
  { feed, clock, log }: ViewSources,
  { view, category, start, head, signal }: Following<C>,
) {
  const { promise: caughtUp, resolve: reachedHead } = Promise.withResolvers<void>()
  let reached = start
  if (lowest(reached) >= head) reachedHead()
  const run = async () => {
    while (!signal.aborted) {
      try {
        const subscription: FeedSubscription<C> = {
          consumer: `gateway-${category}`,
          shared: false,
          categories: [category],
          reached: async (partition) => reached[partition] ?? BEGINNING,
          signal,
        }
        for await (const { events, partition, position } of feed.subscribe(subscription)) {
          for (const event of events) view.apply(event)
          reached = { ...reached, [partition]: position }
          if (lowest(reached) >= head) reachedHead()
        }
      } catch (error) {
        if (signal.aborted) return
        log.warn({ err: error, category }, 'gateway view lost its event source and subscribes again')
      }
      // Also after an end without an error, so that a closed source is not asked in a tight loop.
      await clock.delay(RETRY_DELAY_MS, signal)
    }
  }
  return { category, caughtUp, reached: () => reached, ended: run() }
}

/** The read models may have been filled from a feed with other partitions than the one that is followed. */
function divided(checkpoint: Checkpoint, partitions: readonly string[]): Checkpoint {
  return Object.fromEntries(partitions.map((partition) => [partition, checkpoint[partition] ?? lowest(checkpoint)]))
}

function lowest(checkpoint: Checkpoint): Position {
  const positions = Object.values(checkpoint)
  return positions.length === 0 ? BEGINNING : positions.reduce((low, position) => (position < low ? position : low))
}
