import type { Recorded } from '../../contracts/envelope.ts'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { deltaMicros } from '../../domain/ledger/balance.ts'
import { statementLine } from '../../domain/statement/line.ts'
import { type TotalKind, totalNames } from '../../domain/statement/totals.ts'
import { BLOCK_REVISIONS } from '../ledgerBlocks/projection.ts'
import { plus } from '../plus.ts'
import type { Projection } from '../projection.ts'

export type LedgerTotalRow = {
  readonly companyId: string
  /** The same blocks as in `ledger-blocks`. */
  readonly block: string
  readonly kind: TotalKind
  readonly name: string
  /** Where the name first occurs in the block. */
  readonly firstRevision: string
  readonly entries: string
  readonly deltaMicros: string
}

/** The sums of the entries in a block of a ledger, so that the totals of a long statement need not read all of them. */
export const ledgerTotals: Projection<LedgerTotalRow, LedgerEvent> = {
  name: 'ledger-totals',
  version: 1,
  categories: ['ledger'],
  table: 'ledger_totals',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['companyId', 'block', 'kind', 'name'],
  rowsOf: (event) => {
    const { data, revision } = event
    const shared = { companyId: data.companyId, block: String(Math.floor(revision / BLOCK_REVISIONS)) }
    return namesOf(event).map(([kind, name]) => ({ ...shared, kind, name }))
  },
  evolve: (row, event, { block = '', kind = 'byType', name = '' }) => ({
    companyId: event.data.companyId,
    ...{ block, kind, name },
    firstRevision: row?.firstRevision ?? String(event.revision),
    entries: plus(row?.entries, 1),
    deltaMicros: plus(row?.deltaMicros, deltaMicros(event).toString()),
  }),
}

/** The totals do not depend on the number of the line or its balance. */
function namesOf(event: Recorded<LedgerEvent>): (readonly [TotalKind, string])[] {
  const { id, recordedAt: time } = event
  return totalNames(statementLine(event, { number: 0, id, time, balanceMicros: 0n }))
}
