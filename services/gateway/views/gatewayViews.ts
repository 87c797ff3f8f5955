import { lapsingLots } from '../../../capabilities/creditLots/lapsingLots.ts'
import { BEGINNING, type Checkpoint, type Position } from '../../../contracts/position.ts'
import { type Category, streamName } from '../../../contracts/streams.ts'
import { type Clock, isoTime } from '../../../platform/clock/clock.ts'
import { storeFeed } from '../../../platform/feed/storeFeed.ts'
import { apiKeys } from '../../../projections/apiKeys/projection.ts'
import { allApiKeys } from '../../../projections/apiKeys/queries.ts'
import { companies } from '../../../projections/companies/projection.ts'
import { allCompanies } from '../../../projections/companies/queries.ts'
import { creditBalances } from '../../../projections/creditBalances/projection.ts'
import { allBalances } from '../../../projections/creditBalances/queries.ts'
import { dailyTokens, dayOf } from '../../../projections/dailyTokens/projection.ts'
import { dailyTokensFrom } from '../../../projections/dailyTokens/queries.ts'
import { invoices } from '../../../projections/invoices/projection.ts'
import { unpaidInvoices } from '../../../projections/invoices/queries.ts'
import { type KeySpendRow, keySpend } from '../../../projections/keySpend/projection.ts'
import { newestSpendOfBudgets, spendSince } from '../../../projections/keySpend/queries.ts'
import { priceBooks } from '../../../projections/priceBooks/projection.ts'
import { allPriceBooks } from '../../../projections/priceBooks/queries.ts'
import type { Projection } from '../../../projections/projection.ts'
import { readCheckpoint } from '../../../projections/runner/checkpoints.ts'
import type { Feed, Sql } from '../../../projections/runner/ports.ts'
import { readModelSnapshot } from '../../../projections/runner/snapshot.ts'
import { usageByLabel } from '../../../projections/usageByLabel/projection.ts'
import { labelsOfDay } from '../../../projections/usageByLabel/queries.ts'
import { BalanceView } from './balances.ts'
import { CompanyView } from './companies.ts'
import { DailyTokensView } from './dailyTokens.ts'
import { divided, type FollowedView, follow, lowest } from './following.ts'
import { InvoiceView } from './invoices.ts'
import { KeySpendView, PERIODS_KEPT_MAX } from './keySpend.ts'
import { KeyView } from './keys.ts'
import { LabelView } from './labels.ts'
import { LapsingCredits } from './lapsingCredits.ts'
import { PriceView } from './prices.ts'
import { untilSeedsAreNear, type ViewSources } from './seedWait.ts'

export type GatewayViews = {
  readonly keys: KeyView
  readonly companies: CompanyView
  readonly invoices: InvoiceView
  readonly prices: PriceView
  readonly balances: BalanceView
  readonly dailyTokens: DailyTokensView
  readonly labels: LabelView
  readonly keySpend: KeySpendView
  /** A balance without held charges, and the ledger position that it includes, both read at the same moment. */
  ledgerSeen(companyId: string): LedgerSeen
  /** The position that each view has reached, by category and partition of the feed. */
  reached(): Readonly<Record<string, Checkpoint>>
  stop(): Promise<void>
}

export type LedgerSeen = { readonly balanceMicros: bigint; readonly position: Position }

const SEEDS = [apiKeys, companies, invoices, priceBooks, creditBalances, dailyTokens, keySpend, usageByLabel]
const DAY_MS = 86_400_000
const LAPSING_RELOAD_MS = 5_000
const LAPSING_HORIZON_MS = 3_600_000
/** A view whose read model is further behind than this, because it is being built, counts from now on only. */
const SEED_LAG_EVENTS_MAX = 200_000

/**
 * Opens the in-memory views that keep the database off the hot path. They are loaded from the read models in one
 * snapshot and then follow the events: the small control streams directly from the event store, so that a revoked key is
 * refused without delay, the ledger from the feed. Resolves when the views have reached the head of the store.
 */
export async function openViews(sources: ViewSources): Promise<GatewayViews> {
  const { store, feed } = sources
  const lapsing = new LapsingCredits(sources.clock)
  const views = {
    keys: new KeyView(),
    companies: new CompanyView(),
    invoices: new InvoiceView(),
    prices: new PriceView(),
    balances: new BalanceView({ idsAreUnique: feed.idsAreUnique, lapsing }),
    dailyTokens: new DailyTokensView({ idsAreUnique: feed.idsAreUnique }),
    labels: new LabelView(),
    keySpend: new KeySpendView({ idsAreUnique: feed.idsAreUnique }),
  }
  await untilSeedsAreNear(sources, SEEDS)
  await loadLapsing(sources, lapsing)
  const head = await store.head()
  const from = await readModelSnapshot(sources.database, SEEDS, (sql) => seed(sql, views, sources.clock))

  const tokensFrom = await notFarBehind(sources, dailyTokens, from.dailyTokens, from.balances)
  const spendFrom = await notFarBehind(sources, keySpend, from.keySpend, from.balances)
  const stopping = new AbortController()
  const reloading = reloadLapsing(sources, lapsing, stopping.signal)
  const straight = storeFeed(store)
  const followed = <C extends Category>(source: Feed, seeded: readonly FollowedView<C>[]) => {
    const partitions = source.partitionsOf(seeded.map(({ category }) => category))
    const views = seeded.map((each) => ({ ...each, start: divided(each.start, partitions) }))
    return follow({ ...sources, feed: source }, { views, head, signal: stopping.signal })
  }
  const balancesFrom = divided(from.balances, feed.partitionsOf(['ledger']))
  const ledger = followed(feed, [
    { category: 'ledger', view: views.balances, start: from.balances },
    { category: 'ledger', view: views.dailyTokens, start: tokensFrom },
    { category: 'ledger', view: views.keySpend, start: spendFrom },
    // It is not worth reading the ledger for the events between the two checkpoints.
    { category: 'ledger', view: views.labels, start: from.balances },
  ])
  // In one subscription: a key must not be known before the hard cap or the suspension of its company, or its own price.
  const control = followed<ControlCategory>(straight, [
    { category: 'apiKey', view: views.keys, start: from.keys },
    { category: 'company', view: views.companies, start: from.companies },
    { category: 'invoice', view: views.invoices, start: from.invoices },
    { category: 'pricing', view: views.prices, start: from.prices },
  ])
  const followers = [control, ledger]
  await Promise.all(followers.map((follower) => follower.caughtUp))
  return {
    ...views,
    ledgerSeen: (companyId) => {
      const partition = feed.partitionOf(streamName('ledger', companyId))
      const reached = ledger.reached()[partition] ?? BEGINNING
      const seeded = balancesFrom[partition] ?? BEGINNING
      return {
        // Holds are against what the company may still spend.
        balanceMicros: views.balances.unheldMicros(companyId) + (views.companies.creditLimitMicros(companyId) ?? 0n),
        // The ledger may be followed from before the balances' seed, for a view that was seeded earlier.
        position: reached < seeded ? seeded : reached,
      }
    },
    reached: () =>
      Object.fromEntries(
        followers.flatMap(({ categories, reached }) => categories.map((category) => [category, reached()])),
      ),
    stop: async () => {
      stopping.abort()
      await Promise.all([reloading, ...followers.map((follower) => follower.ended)])
    },
  }
}

async function loadLapsing({ database, clock }: ViewSources, lapsing: LapsingCredits): Promise<void> {
  lapsing.replace(await lapsingLots(database, isoTime(clock.now() + LAPSING_HORIZON_MS)))
}

/** The lots are not followed event by event: they are known well before they expire. */
async function reloadLapsing(sources: ViewSources, lapsing: LapsingCredits, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sources.clock.delay(LAPSING_RELOAD_MS, signal)
    if (signal.aborted) return
    await loadLapsing(sources, lapsing).catch((error: unknown) =>
      sources.log.warn({ err: error }, 'credits that expire soon could not be read, retrying'),
    )
  }
}

type ControlCategory = 'apiKey' | 'company' | 'invoice' | 'pricing'

type SeedModel = Pick<Projection, 'name' | 'version'>

type SeededViews = Pick<
  GatewayViews,
  'keys' | 'companies' | 'invoices' | 'prices' | 'balances' | 'dailyTokens' | 'keySpend' | 'labels'
>

async function seed(sql: Sql, views: SeededViews, clock: Clock) {
  const today = dayOf(isoTime(clock.now()))
  const yesterday = dayOf(isoTime(clock.now() - DAY_MS))
  const seeded = async ({ name, version }: SeedModel, load: () => Promise<void>): Promise<Checkpoint> => {
    const checkpoint = await readCheckpoint(sql, name)
    // Without a checkpoint the projector has never run and there is no table, and a table of another version has other
    // columns until it is rebuilt: then everything comes from the events.
    if (checkpoint?.version !== version) return {}
    await load()
    return checkpoint.positions
  }
  return {
    keys: await seeded(apiKeys, async () => views.keys.seed(await allApiKeys(sql))),
    companies: await seeded(companies, async () => views.companies.seed(await allCompanies(sql))),
    invoices: await seeded(invoices, async () => views.invoices.seed(await unpaidInvoices(sql))),
    prices: await seeded(priceBooks, async () => views.prices.seed(await allPriceBooks(sql))),
    balances: await seeded(creditBalances, async () => views.balances.seed(await allBalances(sql))),
    dailyTokens: await seeded(dailyTokens, async () => views.dailyTokens.seed(await dailyTokensFrom(sql, yesterday))),
    labels: await seeded(usageByLabel, async () =>
      views.labels.seed(await labelsOfDay(sql, `${today}T00:00:00.000Z`), today),
    ),
    keySpend: await seeded(keySpend, async () => views.keySpend.seed(await spendOf(sql, yesterday))),
  }
}

/** Each row once, in the order of the periods. */
async function spendOf(sql: Sql, yesterday: string): Promise<KeySpendRow[]> {
  const checkpoint = await readCheckpoint(sql, apiKeys.name)
  // The keys have no table, or one with other columns, until their model is built.
  const budgets = checkpoint?.version === apiKeys.version ? await newestSpendOfBudgets(sql, PERIODS_KEPT_MAX) : []
  const rows = [...(await spendSince(sql, yesterday)), ...budgets]
  const unique = new Map(rows.map((row) => [`${row.keyId} ${row.period}`, row]))
  return [...unique.values()].toSorted((a, b) => (a.period < b.period ? -1 : 1))
}

/**
 * Abandoned tokens and the spend of keys before an upgrade are not worth a start that reads the whole ledger, as a gateway
 * would after an upgrade: until their models are built and the gateway is started again, they count from now on.
 */
async function notFarBehind(
  { store, log }: ViewSources,
  { name }: SeedModel,
  seeded: Checkpoint,
  others: Checkpoint,
): Promise<Checkpoint> {
  if (lowest(seeded) >= lowest(others)) return seeded
  const [behind, ahead] = await Promise.all([store.eventsAfter(lowest(seeded)), store.eventsAfter(lowest(others))])
  if (behind - ahead <= SEED_LAG_EVENTS_MAX) return seeded
  log.warn({ model: name, events: behind - ahead }, 'read model is far behind: a view of it counts from now on')
  return others
}
