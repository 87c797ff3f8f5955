import type { Clock } from '../../platform/clock/clock.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import type { Hash } from '../transparency/hashes.ts'
import type { ReceiptReader } from '../transparency/receiptReader.ts'
import { SaltSecret } from '../transparency/saltSecret.ts'
import type { StatementRange } from './statementRange.ts'

/** A checkpoint is signed at most every 10 s while there is something new. */
export const SEALED_WAIT_MS = 15_000
const SEALED_POLL_MS = 500

/** What the log says about the entries of a statement. */
export type StatementProof = {
  /** The company's entry before the first one of the statement; null if there is none. */
  readonly previous: Hash | null
  /** The last entry of the statement; null if the log does not have it yet. */
  readonly last: Hash | null
  /** The number of the entry that is proven: the last one that a checkpoint covers. */
  readonly proven: number | null
  /** C2SP tlog-proof of that entry; null if no checkpoint covers any entry of the statement. */
  readonly proof: string | null
  /** The secret of the company's entries; null until the log has one of them. */
  readonly secret: SaltSecret | null
}

export type ProofSources = {
  readonly database: Sql
  readonly clock: Pick<Clock, 'monotonicMs' | 'delay'>
  readonly receipts: Pick<ReceiptReader, 'readEntry'>
}

/** Waits until a checkpoint covers the last entry. After a time-out, the proof is for an earlier entry, or missing. */
export async function proveStatement(
  { database, clock, receipts }: ProofSources,
  range: StatementRange,
  waitMs = SEALED_WAIT_MS,
): Promise<StatementProof> {
  const lastNumber = range.first + range.count - 1
  const until = clock.monotonicMs() + waitMs
  for (;;) {
    const place = await placeOf(database, range)
    const isCovered = range.count === 0 || place.proven === lastNumber
    if (!isCovered && clock.monotonicMs() < until) {
      await clock.delay(SEALED_POLL_MS)
      continue
    }
    const receipt = place.eventId === null ? null : await receipts.readEntry(range.companyId, place.eventId)
    return {
      previous: place.previous,
      last: isCovered ? place.last : null,
      proven: receipt === null ? null : place.proven,
      proof: receipt?.proof ?? null,
      secret: place.secret === null ? null : new SaltSecret(place.secret),
    }
  }
}

type Place = {
  readonly previous: Buffer | null
  readonly secret: Buffer | null
  readonly proven: number | null
  readonly eventId: string | null
  readonly last: Buffer | null
}

/** The newest entry of the range that the newest checkpoint covers, in one query. */
async function placeOf(database: Sql, { companyId, first, count }: StatementRange): Promise<Place> {
  const [row] = await database.query<{
    previous: Buffer | null
    secret: Buffer | null
    number: string | null
    eventId: string | null
    entry: Buffer | null
  }>(
    `select (select entry from ledger_log.entries where company_id = $1 and number = $2 - 1) as previous,
       (select secret from platform.log_secrets where company_id = $1) as secret, covered.number, covered.event_id, covered.entry
     from (select 1) as one left join lateral (
       select number, event_id, entry from ledger_log.entries
       where company_id = $1 and number >= $2 and number < $3
         and index < (select size from ledger_log.checkpoints
                      where origin = coalesce((select origin from ledger_log.progress), origin)
                      order by checkpoints.number desc limit 1)
       order by number desc limit 1) as covered on true`,
    [companyId, first, first + count],
  )
  if (!row) throw new Error('a query without a table has a row')
  const { previous, secret, number, eventId, entry: last } = row
  return { previous, secret, eventId, last, proven: number === null ? null : Number(number) }
}
