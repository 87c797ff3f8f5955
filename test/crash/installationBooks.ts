import { scrubEntries } from '../../capabilities/transparency/sealing/scrub.ts'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import { fold } from '../../domain/decider.ts'
import { balanceMicros } from '../../domain/ledger/balance.ts'
import { ledgerDecider } from '../../domain/ledger/decider.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { PostgresEventStore } from '../../platform/eventStore/postgres/postgresEventStore.ts'
import { withUpcasting } from '../../platform/eventStore/upcasting.ts'
import { storeFeed } from '../../platform/feed/storeFeed.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { openDatabase } from '../../platform/postgres/database.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { balanceOf } from '../../projections/creditBalances/queries.ts'
import type { Projection } from '../../projections/projection.ts'
import { hashProjection } from '../../projections/runner/hash.ts'
import { hasPassed } from '../../projections/runner/readAfterWrite.ts'
import { rebuildProjection } from '../../projections/runner/rebuild.ts'
import { until } from '../support/time/until.ts'

/** The reactor prices a pack that is 5 s old, in rounds of 5 s; a start on a busy machine comes on top. */
const PRICING_MS_MAX = 30_000

/** A checkpoint is signed at most every 10 s. */
const CHECKPOINT_MS_MAX = 60_000

const LEDGER_EVENTS =
  "from event_store.events e join event_store.streams s using (stream_no) where s.stream like 'ledger-%'"

/** The event store and the read models of a running installation, looked at from outside it. */
export function openBooks(databaseUrl: string, companyId: string) {
  const database = openDatabase({ url: databaseUrl, connectionsMax: 4 })
  const storeAsWritten = new PostgresEventStore(database, systemClock)
  const store = withUpcasting(storeAsWritten)
  const feed = storeFeed(store)

  async function ledger(): Promise<{ events: LedgerEvent[]; position: Position }> {
    const events: LedgerEvent[] = []
    let position = BEGINNING
    for await (const recorded of store.readStream(streamName('ledger', companyId))) {
      events.push(recorded)
      position = recorded.position
    }
    return { events, position }
  }

  async function hashes(): Promise<Record<string, string | undefined>> {
    const entries = PROJECTIONS.map(async (model) => [model.name, (await hashProjection(database, model))?.hash])
    return Object.fromEntries(await Promise.all(entries))
  }

  return {
    ledger,
    hashes,
    isCharged: async (callId: string) => {
      const rows = await database.query(
        `select from event_store.events join event_store.streams s using (stream_no)
         where s.stream = $1 and type = 'CallCharged' and data->>'callId' = $2`,
        [streamName('ledger', companyId), callId],
      )
      return rows.length > 0
    },
    /**
     * Waits until the projector has applied the last booking and the reactor has priced the demo credit pack. The reactor
     * does so in the background, seconds after the pack was created, and an event that it appends between two hashes
     * would make them differ.
     */
    settled: async () => {
      const isPriced = async () => {
        const packs = await database.query<{ status: string }>('select status from read_models.credit_packs')
        return packs.length > 0 && packs.every(({ status }) => status === 'ACTIVE')
      }
      await until('the demo credit pack has its price', isPriced, PRICING_MS_MAX)
      const { position } = await ledger()
      const models = PROJECTIONS.filter(({ categories }) => categories.includes('ledger'))
      const isPassed = ({ name }: Projection) => hasPassed(database, name, position, systemClock)
      await until(
        'the read models have caught up with the ledger',
        async () => !(await Promise.all(models.map(isPassed))).includes(false),
      )
    },
    rebuildAll: async () => {
      const { idsAreUnique } = feed
      for (const projection of PROJECTIONS) {
        const partitions = feed.partitionsOf(projection.categories)
        await rebuildProjection({
          projection,
          database,
          source: store,
          partitions,
          idsAreUnique,
          clock: systemClock,
          ids: systemIds,
        })
      }
    },
    /**
     * Waits until a checkpoint covers every event of the ledgers, and compares events, entries, tiles and all checkpoints.
     * Throws if they differ. Returns the ids of events that are not sealed exactly once, and the number of those that are.
     */
    verifyTransparencyLog: async () => {
      await until(
        'a checkpoint covers every event of the ledgers',
        async () => {
          const [row] = await database.query<{ isCovered: boolean }>(
            `select coalesce((select max(size) from ledger_log.checkpoints), 0) = (select count(*) ${LEDGER_EVENTS}) as is_covered`,
          )
          return row?.isCovered
        },
        CHECKPOINT_MS_MAX,
      )
      const { signal } = new AbortController()
      const clock = systemClock
      const { entries } = await scrubEntries({ sql: database, store: storeAsWritten, clock, timeShare: 1 }, signal)
      const notOnce = await database.query<{ id: string }>(
        `select id from (select e.event_id as id ${LEDGER_EVENTS}) stored
         full join (select event_id as id, count(*) as times from ledger_log.entries group by 1) sealed using (id)
         where times is distinct from 1`,
      )
      return { entries, notOnce: notOnce.map(({ id }) => id) }
    },
    /** The balance as the ledger itself says it, and as the read model shows it. */
    balances: async () => ({
      audited: balanceMicros(fold(ledgerDecider, (await ledger()).events)).toString(),
      shown: (await balanceOf(database, companyId))?.balanceMicros,
    }),
    close: async () => {
      await store.close()
      await database.close()
    },
  }
}
