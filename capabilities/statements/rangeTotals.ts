import { StatementTotals } from '../../domain/statement/totals.ts'
import type { Engines } from '../../platform/engines.ts'
import { BLOCK_REVISIONS } from '../../projections/ledgerBlocks/projection.ts'
import { type LedgerPlace, placeBeforeNumber, placeOfBlock } from '../../projections/ledgerBlocks/queries.ts'
import { lastBlockWithTotals, totalsOfBlocks } from '../../projections/ledgerTotals/queries.ts'
import type { LedgerBoundary } from './ledgerBoundary.ts'
import { entryPages } from './statementLines.ts'
import type { StatementRange } from './statementRange.ts'

type Reading = Pick<Engines, 'database' | 'storeAsWritten'>

/**
 * The sums of the entries in a range. Whole blocks come from the read model; the entries before the first block and
 * after the last are read. null if those are too many, because the read model is far behind.
 */
export async function rangeTotals(
  engines: Reading,
  range: StatementRange,
  readsMax: number,
): Promise<StatementTotals | null> {
  const { companyId, first, count, revision, openingMicros: balanceMicros } = range
  const begin = { revision, number: first, balanceMicros }
  const end = first + count
  const blocks = await wholeBlocks(engines, range)
  const reads = blocks ? blocks.from.events - first + (end - blocks.to.events) : count
  if (reads > readsMax) return null
  const totals = new StatementTotals()
  await addEntries(engines, companyId, totals, begin, (blocks?.from.events ?? end) - first)
  if (blocks === null) return totals
  const [from, to] = [blocks.from, blocks.to].map((place) => place.revision / BLOCK_REVISIONS) as [number, number]
  for (const { kind, name, entries, deltaMicros } of await totalsOfBlocks(engines.database, companyId, from, to)) {
    totals.addTotal(kind, name, Number(entries), BigInt(deltaMicros))
  }
  await addEntries(engines, companyId, totals, boundaryAt(blocks.to), end - blocks.to.events)
  return totals
}

/** The whole blocks of the range that both read models have completely; null if there are none. */
async function wholeBlocks(
  { database }: Reading,
  { companyId, first, count, revision }: StatementRange,
): Promise<{ readonly from: LedgerPlace; readonly to: LedgerPlace } | null> {
  if (count < BLOCK_REVISIONS) return null
  const fromBlock = Math.ceil(revision / BLOCK_REVISIONS)
  const [last, known] = await Promise.all([
    placeBeforeNumber(database, companyId, first + count),
    lastBlockWithTotals(database, companyId),
  ])
  const toBlock = Math.min(last.revision / BLOCK_REVISIONS, known)
  if (toBlock <= fromBlock) return null
  const [from, to] = await Promise.all([
    placeOfBlock(database, companyId, fromBlock),
    placeOfBlock(database, companyId, toBlock),
  ])
  return { from, to }
}

const boundaryAt = ({ revision, events: number, balanceMicros }: LedgerPlace): LedgerBoundary => ({
  ...{ revision, number, balanceMicros },
})

async function addEntries(
  engines: Reading,
  companyId: string,
  totals: StatementTotals,
  from: LedgerBoundary,
  count: number,
): Promise<void> {
  for await (const page of entryPages(engines, companyId, from, count)) for (const { line } of page) totals.add(line)
}
