import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { deltaMicros } from '../../domain/ledger/balance.ts'
import { plus } from '../plus.ts'
import type { Projection } from '../projection.ts'

/** Revisions of a block. Finding a moment on the ledger takes one query and at most so many events. */
export const BLOCK_REVISIONS = 1024

export type LedgerBlockRow = {
  readonly company_id: string
  /** The block has the revisions from `block * BLOCK_REVISIONS` on. */
  readonly block: string
  /** How many events it has: fewer than revisions if the store holds an event twice, or one of another application. */
  readonly events: string
  /** By how much they change the balance together. */
  readonly delta_micros: string
  /** The latest time at which one of them was stored. That of the last one may be earlier, if a clock was set back. */
  readonly latest_at: string
}

/**
 * The ledgers in blocks of revisions, with which the balance at any moment is found without reading the ledger from its
 * beginning. The time is the one at which the event was first stored, which a restore keeps: statements are ranges of the
 * ledger, and its order is that of storing.
 */
export const ledgerBlocks: Projection<LedgerBlockRow, LedgerEvent> = {
  name: 'ledger-blocks',
  version: 1,
  categories: ['ledger'],
  table: 'ledger_blocks',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['company_id', 'block'],
  rowsOf: ({ data, revision }) => [
    { company_id: data.companyId, block: String(Math.floor(revision / BLOCK_REVISIONS)) },
  ],
  evolve: (row, event, { block = '' }) => ({
    company_id: event.data.companyId,
    block,
    events: plus(row?.events, 1),
    delta_micros: plus(row?.delta_micros, deltaMicros(event).toString()),
    latest_at: row && row.latest_at > event.recordedAt ? row.latest_at : event.recordedAt,
  }),
}
