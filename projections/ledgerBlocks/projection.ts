import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { deltaMicros } from '../../domain/ledger/balance.ts'
import { plus } from '../plus.ts'
import type { Projection } from '../projection.ts'

/** The revisions per block. Finding a moment on the ledger takes one query and at most this many events. */
export const BLOCK_REVISIONS = 1024
/**
 * The blocks per group, which has its own row: searching a ledger of ten million entries takes about 200 rows instead
 * of 10,000.
 */
export const GROUP_BLOCKS = 128

/** 0 for blocks, and 1 for groups of blocks. */
export type LedgerBlockLevel = 0 | 1
const REVISIONS = [BLOCK_REVISIONS, BLOCK_REVISIONS * GROUP_BLOCKS] as const

export type LedgerBlockRow = {
  readonly companyId: string
  readonly level: LedgerBlockLevel
  /** A block has the revisions from `block * BLOCK_REVISIONS` on, and a group those of `GROUP_BLOCKS` blocks. */
  readonly block: string
  /** The number of its events: fewer than revisions if the store holds an event twice, or one of another application. */
  readonly events: string
  /** Their total change of the balance. */
  readonly deltaMicros: string
  /** The latest time at which one of them was stored. The last one may be earlier, if a clock was set back. */
  readonly latestAt: string
}

/**
 * The ledgers in blocks of revisions, to find the balance at any moment without reading the ledger from its beginning.
 * The time is when the event was first stored, which a restore preserves: statements are ranges of the ledger, which is
 * ordered by when entries were stored.
 */
export const ledgerBlocks: Projection<LedgerBlockRow, LedgerEvent> = {
  name: 'ledger-blocks',
  version: 2,
  categories: ['ledger'],
  table: 'ledger_blocks',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['companyId', 'level', 'block'],
  rowsOf: ({ data, revision }) =>
    ([0, 1] as const).map((level) => ({
      companyId: data.companyId,
      level,
      block: String(Math.floor(revision / REVISIONS[level])),
    })),
  evolve: (row, event, { level = 0, block = '' }) => ({
    companyId: event.data.companyId,
    level,
    block,
    events: plus(row?.events, 1),
    deltaMicros: plus(row?.deltaMicros, deltaMicros(event).toString()),
    latestAt: row && row.latestAt > event.recordedAt ? row.latestAt : event.recordedAt,
  }),
}
