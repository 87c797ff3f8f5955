import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { deltaMicros } from '../../domain/ledger/balance.ts'
import { plus } from '../plus.ts'
import type { Projection } from '../projection.ts'

/** The revisions per part. A block of `ledger-blocks` has a whole number of parts. */
export const PART_REVISIONS = 32

export type LedgerPartRow = {
  readonly companyId: string
  /** A part has the revisions from `part * PART_REVISIONS` on. */
  readonly part: string
  /** The number of its events: fewer than revisions if the store holds an event twice, or one of another application. */
  readonly events: string
  /** Their total change of the balance. */
  readonly deltaMicros: string
  /** The latest time at which one of them was stored. The last one may be earlier, if a clock was set back. */
  readonly latestAt: string
  /** When the first one was stored. */
  readonly firstAt: string
  /**
   * Each of them, separated by commas: milliseconds after the first one, the change of the balance, and its place in
   * the part if that differs from its place in this list. Kept short, so that the parts of a block fit on few pages.
   */
  readonly entries: string
}

/**
 * The ledgers in parts of a few revisions, with the time and the change of each entry. The entries of a block take
 * three pages here, but dozens in the log and the transactions, so finding the balance at a moment long ago reads few
 * uncached pages. A separate table keeps the parts of a block, and the blocks of a group, next to each other.
 */
export const ledgerParts: Projection<LedgerPartRow, LedgerEvent> = {
  name: 'ledger-parts',
  version: 1,
  categories: ['ledger'],
  table: 'ledger_parts',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['companyId', 'part'],
  rowsOf: ({ data, revision }) => [{ companyId: data.companyId, part: String(Math.floor(revision / PART_REVISIONS)) }],
  evolve: (row, event, { part = '' }) => {
    const { recordedAt, revision, data } = event
    const delta = deltaMicros(event).toString()
    const firstAt = row?.firstAt ?? recordedAt
    const place = revision % PART_REVISIONS === Number(row?.events ?? 0) ? '' : ` ${revision % PART_REVISIONS}`
    const entry = `${Date.parse(recordedAt) - Date.parse(firstAt)} ${delta}${place}`
    return {
      companyId: data.companyId,
      part,
      events: plus(row?.events, 1),
      deltaMicros: plus(row?.deltaMicros, delta),
      latestAt: row && row.latestAt > recordedAt ? row.latestAt : recordedAt,
      firstAt,
      entries: row ? `${row.entries},${entry}` : entry,
    }
  },
}

/** An entry of a part. */
export type PartEntry = { readonly revision: number; readonly recordedMs: number; readonly deltaMicros: bigint }

/** The entries of a part, in the order of the ledger. */
export function* entriesOfPart({
  part,
  firstAt,
  entries,
}: Pick<LedgerPartRow, 'part' | 'firstAt' | 'entries'>): Generator<PartEntry> {
  const firstMs = Date.parse(firstAt)
  for (const [n, written] of entries.split(',').entries()) {
    const [ms, delta, place = n] = written.split(' ')
    if (ms === undefined || delta === undefined) throw new Error(`a ledger's part ${part} has the entry ${written}`)
    const revision = Number(part) * PART_REVISIONS + Number(place)
    yield { revision, recordedMs: firstMs + Number(ms), deltaMicros: BigInt(delta) }
  }
}
