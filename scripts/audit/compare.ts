import { readFault } from '../../capabilities/transparency/faults.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import { balanceMicros } from '../../domain/ledger/balance.ts'
import type { Engines } from '../../platform/engines.ts'
import type { ForeignEvent, TypedEventStore } from '../../platform/eventStore/port.ts'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { balanceOf } from '../../projections/creditBalances/queries.ts'
import { type CreditTransactionRow, creditTransactions } from '../../projections/creditTransactions/projection.ts'
import { transactionPages } from '../../projections/creditTransactions/queries.ts'
import { positionFor, readCheckpoint } from '../../projections/runner/checkpoints.ts'
import type { Database, Sql } from '../../projections/runner/ports.ts'
import { readModelSnapshot } from '../../projections/runner/snapshot.ts'
import { chargeFault } from './chargeFault.ts'
import { wrongCorrection } from './corrections.ts'
import { auditMonths, type MonthAudit } from './months.ts'
import { PagedRows } from './pagedRows.ts'
import { foreignEventsOf, ledgerOf, type RecordedLedgerEvent, Replay, type Until } from './replay.ts'

/** The rows of the read model in ledger order, and the sum of those taken. */
class TransactionLines extends PagedRows<CreditTransactionRow> {
  sumMicros = 0n

  override advance(): void {
    this.sumMicros += BigInt(this.next?.amountMicros ?? 0)
    super.advance()
  }
}

export type Difference = {
  readonly what: string
  readonly eventId: string | null
  readonly type: string | null
  readonly revision: number | null
  readonly position: Position | null
  readonly ledgerMicros: string | null
  readonly readModelMicros: string | null
}

export type AuditResult = {
  readonly replay: Replay
  readonly readModelMicros: bigint
  readonly firstDifference: Difference | null
  /** Events that another application wrote to the ledger, up to the audited moment. The replay ignores them. */
  readonly foreignEvents: readonly ForeignEvent[]
  /** The closed months of a postpaid company, compared with what was recorded and with the provider's invoices. */
  readonly months: readonly MonthAudit[]
  /** Why no checkpoint is signed, or what no longer matches the transparency log, in any company; null without a fault. */
  readonly logFault: { readonly what: string; readonly eventId: string | null } | null
}

/**
 * Replays the ledger and compares the read models with it at one position. For the present, that is the position up to
 * which credit-balances has applied this ledger; for the past, it is the requested moment, and the balance is the sum
 * of the transactions up to it.
 */
export async function auditCompany(engines: Engines, companyId: string, until: Until): Promise<AuditResult> {
  const { database, store } = engines
  const models = await readModels(database, companyId)
  if (models.balancePosition === BEGINNING && (await store.head()) !== BEGINNING) throw notBuilt('credit-balances')
  const bound = until ?? { position: models.balancePosition }
  const replay = new Replay()
  const lines = new TransactionLines(transactionPages(database, companyId))
  let firstDifference: Difference | null = null
  for await (const event of ledgerOf(store, companyId, bound)) {
    replay.add(event)
    firstDifference ??= mispriced(event)
    // The transactions may lag slightly behind the balance; events that they have not reached are not compared.
    if (event.position > models.transactionsPosition) continue
    if (lines.isAtPageEnd) await lines.turnPage()
    while (lines.next && Number(lines.next.revision) < event.revision) {
      firstDifference ??= strayLine(lines.next)
      lines.advance()
      if (lines.isAtPageEnd) await lines.turnPage()
    }
    if (creditTransactions.rowsOf(event).length === 0) continue
    const row = lines.next && Number(lines.next.revision) === event.revision ? lines.next : null
    if (row) lines.advance()
    firstDifference ??= lineDifference(event, row)
  }
  if (!until) firstDifference ??= await strayAfter(store, companyId, lines)
  const wrong = await wrongCorrection(store, companyId, bound, replay)
  if (wrong) firstDifference ??= difference(wrong.what, wrong.event, wrong.micros, null)
  if (until && replay.position > models.transactionsPosition) {
    throw new Error('read model credit-transactions has not reached that moment: start the projector, or wait for it')
  }
  const readModelMicros = until ? lines.sumMicros : models.balanceMicros
  if (balanceMicros(replay.state) !== readModelMicros) firstDifference ??= balanceDifference(replay, readModelMicros)
  return {
    replay,
    readModelMicros,
    firstDifference,
    foreignEvents: await foreignEventsOf(store, companyId, until),
    months: await auditMonths(engines, companyId, replay.months),
    logFault: await knownLogFault(database),
  }
}

async function knownLogFault(database: Database): Promise<AuditResult['logFault']> {
  const known = await readFault(database)
  return known && { what: known.fault, eventId: known.eventId }
}

function readModels(database: Database, companyId: string) {
  const ledger = streamName('ledger', companyId)
  return readModelSnapshot(database, [creditBalances, creditTransactions], async (sql) => ({
    balancePosition: await reached(sql, 'credit-balances', ledger),
    transactionsPosition: await reached(sql, 'credit-transactions', ledger),
    balanceMicros: BigInt((await balanceOf(sql, companyId))?.balanceMicros ?? 0),
  }))
}

async function reached(sql: Sql, projection: string, stream: string): Promise<Position> {
  const checkpoint = await readCheckpoint(sql, projection)
  if (!checkpoint) throw notBuilt(projection)
  return positionFor(stream, checkpoint.positions)
}

function notBuilt(projection: string): Error {
  return new Error(`read model ${projection} is not built yet: start the projector once`)
}

/** A transaction after the last replayed event, unless its event was stored meanwhile. */
async function strayAfter(
  store: TypedEventStore,
  companyId: string,
  lines: TransactionLines,
): Promise<Difference | null> {
  if (lines.isAtPageEnd) await lines.turnPage()
  const row = lines.next
  if (!row) return null
  for await (const event of store.readStream(streamName('ledger', companyId), {
    from: Number(row.revision),
    limit: 1,
  })) {
    if (event.revision === Number(row.revision)) return null
  }
  return strayLine(row)
}

function mispriced(event: RecordedLedgerEvent): Difference | null {
  if (event.type !== 'CallCharged') return null
  const fault = chargeFault(event.data)
  return fault === null ? null : difference(fault, event, event.data.amountMicros, null)
}

function lineDifference(event: RecordedLedgerEvent, row: CreditTransactionRow | null): Difference | null {
  const expected = creditTransactions.evolve(undefined, event, {})
  if (!row) return difference('the event has no transaction', event, expected.amountMicros, null)
  const wrong = differentField(expected, row)
  if (!wrong) return null
  return difference(
    `the transaction differs from the event in ${wrong}`,
    event,
    expected.amountMicros,
    row.amountMicros,
  )
}

function differentField(expected: CreditTransactionRow, row: CreditTransactionRow): string | null {
  for (const name in expected) {
    const one = expected[name as keyof CreditTransactionRow]
    const other = row[name as keyof CreditTransactionRow]
    // Times and numbers may be formatted differently.
    if (one !== other && String(one) !== String(other)) return name
  }
  return null
}

function strayLine(row: CreditTransactionRow): Difference {
  return {
    what: 'the transaction has no event',
    eventId: row.transactionId,
    type: row.type,
    revision: Number(row.revision),
    position: null,
    ledgerMicros: null,
    readModelMicros: row.amountMicros,
  }
}

/** All transactions agree but the balance does not, so only the position of the ledger can be named. */
function balanceDifference({ state, position, revision }: Replay, readModelMicros: bigint): Difference {
  return {
    what: 'the balance is not the sum of its transactions',
    eventId: null,
    type: null,
    revision,
    position,
    ledgerMicros: balanceMicros(state).toString(),
    readModelMicros: readModelMicros.toString(),
  }
}

function difference(
  what: string,
  { id, type, revision, position }: RecordedLedgerEvent,
  ledgerMicros: string,
  readModelMicros: string | null,
): Difference {
  return { what, eventId: id, type, revision, position, ledgerMicros, readModelMicros }
}
