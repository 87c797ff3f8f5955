import { COMMON_LEDGER_ID } from '../../contracts/events/ledger.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import { anchorEventId } from '../ledger/ledgerWriter.ts'
import type { Hash } from './hashes.ts'

/** The tree that a checkpoint was signed over. */
export type SignedTree = {
  readonly size: number
  readonly root: Hash
  readonly note: string
}

/** The place of an event in its stream and in the log, in a tree that covers it. */
export type Place = SignedTree & {
  readonly companyId: string
  readonly eventId: string
  readonly index: number
  readonly entry: Hash
  readonly number: number
  readonly revision: number
  readonly secret: Buffer | null
}

type EntryRow = {
  companyId: string
  eventId: string
  index: string
  entry: Buffer
  number: string
  revision: string
  secret: Buffer | null
}
const ENTRY_COLUMNS =
  'entries.company_id, entries.event_id, entries.index, entries.entry, entries.number, entries.revision, secret'

/** The place of the event in the tree of the latest checkpoint; null if that does not cover it. */
export async function findPlace(sql: Sql, companyId: string, eventId: string): Promise<Place | null> {
  const [row] = await sql.query<EntryRow & { size: string; root: Buffer; note: string }>(
    `select ${ENTRY_COLUMNS}, size, root, note
     from ledger_log.entries
     join (
       select size, root, note from ledger_log.checkpoints
       where origin = coalesce((select origin from ledger_log.progress), origin)
       order by number desc limit 1
     ) latest on latest.size > entries.index
     left join platform.log_secrets secrets on secrets.company_id = entries.company_id
     where entries.event_id = $1 and entries.company_id = $2`,
    [eventId, companyId],
    'place of a receipt',
  )
  if (row === undefined) return null
  const { size, root, note, ...entry } = row
  return placeOf(entry, { size: Number(size), root, note })
}

/** The place of a price book in the tree, on the ledger of the company or on the common one; null if it has none. */
export async function findBookPlace(
  sql: Sql,
  companyId: string,
  bookId: string,
  { size, root, note }: SignedTree,
): Promise<Place | null> {
  const [row] = await sql.query<EntryRow>(
    `select ${ENTRY_COLUMNS}
     from ledger_log.entries left join platform.log_secrets secrets on secrets.company_id = entries.company_id
     where entries.event_id = $1 and entries.company_id = any($2::uuid[]) and entries.index < $3 limit 1`,
    [anchorEventId(bookId), [companyId, COMMON_LEDGER_ID], size],
    'place of a price book',
  )
  return row === undefined ? null : placeOf(row, { size, root, note })
}

function placeOf({ index, number, revision, ...row }: EntryRow, tree: SignedTree): Place {
  return { ...row, ...tree, index: Number(index), number: Number(number), revision: Number(revision) }
}
