import { REACTOR } from '../../capabilities/commands/commandHandler.ts'
import type { Runtime } from '../../capabilities/installation.ts'
import { anchorEventId } from '../../capabilities/ledger/ledgerWriter.ts'
import { sealedAmong } from '../../capabilities/transparency/reader.ts'
import { readProgress } from '../../capabilities/transparency/sealing/tables.ts'
import { COMMON_LEDGER_ID } from '../../contracts/events/ledger.ts'
import type { Position } from '../../contracts/position.ts'
import { pricingStream } from '../../contracts/streams.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { Pauses } from '../../platform/clock/pauses.ts'
import { type PriceBookPlace, priceBookPlaces } from '../../projections/priceBooks/queries.ts'

/** How long the books of a ledger wait after one of them could not be anchored. */
const RETRY_MS = 15_000

type Parts = Pick<Runtime, 'clock' | 'log'> & {
  readonly engines: Pick<Runtime['engines'], 'database' | 'store' | 'ledger'>
}

/**
 * Writes every price book to a ledger, so that it gets into the transparency log: those of each stream in their order,
 * including books from before there were anchors. The id of an anchor follows from its book, so the store keeps one,
 * however many reactors write it. Books whose anchor is sealed, or was written by this process, are not written again.
 */
export function createPriceBookAnchoring({ engines, clock, log }: Parts): () => Promise<void> {
  const { database, store, ledger } = engines
  const pauses = new Pauses({ nowMs: () => clock.monotonicMs(), doneMs: 0, failedMs: RETRY_MS })
  /** The event ids of the anchors that are known to be stored. */
  const stored = new Set<string>()
  const mayWrite = createWritePermission(engines)

  const anchor = async ({ bookId, companyId, revision }: PriceBookPlace) => {
    for await (const { data } of store.readStream(pricingStream(companyId), { from: revision, limit: 1 })) {
      if (data.bookId !== bookId) break
      const draft = ledger.draft({ type: 'AnchorPriceBook', book: data, at: isoTime(clock.now()) })
      const { repeated } = await ledger.book(draft, draft.eventId, REACTOR)
      stored.add(draft.eventId)
      if (!repeated) log.info({ bookId, companyId }, 'price book anchored on a ledger')
      return
    }
    throw new Error(`${pricingStream(companyId)} has no price book ${bookId} at revision ${revision}`)
  }

  return async () => {
    const isOpen = ({ bookId }: PriceBookPlace) => !stored.has(anchorEventId(bookId))
    const places = (await priceBookPlaces(database)).filter(isOpen)
    if (places.length === 0 || !(await mayWrite())) return
    const ids = places.map(({ bookId }) => anchorEventId(bookId))
    for (const id of await sealedAmong(database, ids)) stored.add(id)
    const paused = new Set(pauses.ids())
    const byLedger = Map.groupBy(places.filter(isOpen), ({ companyId }) => companyId ?? COMMON_LEDGER_ID)
    for (const [ledgerId, books] of byLedger) {
      if (paused.has(ledgerId)) continue
      const inOrder = async () => {
        for (const book of books) await anchor(book)
      }
      await pauses.attempt(ledgerId, inOrder, (error) =>
        log.warn({ err: error, ledgerId }, 'price books could not be anchored on a ledger, retrying later'),
      )
    }
  }
}

/**
 * A store whose ids are not unique remembers only recent ids. There, the log must first contain everything that earlier
 * processes may have written.
 */
function createWritePermission({ database, store }: Pick<Parts['engines'], 'database' | 'store'>) {
  let isPermitted = store.idsAreUnique
  let head: Position | null = null
  return async (): Promise<boolean> => {
    if (isPermitted) return true
    head ??= await store.head()
    isPermitted = (await readProgress(database)).position >= head
    return isPermitted
  }
}
