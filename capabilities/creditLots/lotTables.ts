import type { Position } from '../../contracts/position.ts'
import type { LotSource } from '../../domain/creditLots/facts.ts'
import type { CorrectableEntry } from '../../domain/creditLots/ledgerFacts.ts'
import type { DebtRow, LotRow, LotsSnapshot, PartRow } from '../../domain/creditLots/snapshot.ts'
import type { Database, Sql } from '../../projections/runner/ports.ts'
import { deterministicId } from '../commands/eventId.ts'
import { readCharges, writeCharges } from './chargeParts.ts'
import type { CompanyChanges, LotBookChanges } from './lotChanges.ts'

/** Another process folds the lots now, or a restore has reset them. */
export class LotKeeperReplaced extends Error {
  constructor() {
    super('another process keeps the credit lots')
    this.name = 'LotKeeperReplaced'
  }
}

/** Locks out earlier keepers, and returns up to where the lots include the ledger. */
export async function beginKeeping(sql: Sql, epoch: number): Promise<Position> {
  const [row] = await sql.query<{ position: Position }>(
    'update credit_lots.progress set epoch = $1 where epoch < $1 returning position',
    [epoch],
  )
  if (!row) throw new LotKeeperReplaced()
  return row.position
}

export async function lotPosition(sql: Sql): Promise<Position> {
  const [row] = await sql.query<{ position: Position }>('select position from credit_lots.progress')
  if (!row) throw new Error('table credit_lots.progress has no row: the migrations of this database are incomplete')
  return row.position
}

/** Stores the changes of a batch with its position, unless another process has taken over or the position was reset. */
export async function writeChanges(
  database: Database,
  { epoch, after }: { readonly epoch: number; readonly after: Position },
  position: Position,
  changes: LotBookChanges,
): Promise<void> {
  await database.transaction(
    async (sql) => {
      const mine = await sql.query(
        'update credit_lots.progress set position = $1 where epoch = $2 and position = $3 returning 1',
        [position, epoch, after],
      )
      if (mine.length === 0) throw new LotKeeperReplaced()
      await writeCompanies(sql, changes.companies)
      await writeLots(sql, changes.companies)
      await writeCharges(sql, changes.companies)
      await writeEntries(sql, changes)
    },
    { repeatable: true },
  )
}

async function writeCompanies(sql: Sql, companies: readonly CompanyChanges[]): Promise<void> {
  if (companies.length === 0) return
  await sql.query(
    `insert into credit_lots.companies (company_id, revision, debts, debt_micros)
     select * from jsonb_to_recordset($1::jsonb)
       as new (company_id uuid, revision bigint, debts jsonb, debt_micros numeric)
     on conflict (company_id) do update
       set revision = excluded.revision, debts = excluded.debts, debt_micros = excluded.debt_micros`,
    [
      jsonOf(
        companies.map(({ companyId, revision, debts, debtMicros }) => ({
          ...{ company_id: companyId, revision, debts, debt_micros: debtMicros },
        })),
      ),
    ],
  )
}

async function writeLots(sql: Sql, companies: readonly CompanyChanges[]): Promise<void> {
  const rows = companies.flatMap(({ companyId, lots }) =>
    lots.map((lot) => ({
      ...{ company_id: companyId, lot_id: lot.lotId, age: lot.age, source: lot.source, priority: lot.priority },
      expires_at: lot.expiresAtMs === null ? null : new Date(lot.expiresAtMs).toISOString(),
      rollover: lot.rollover ?? null,
      rollover_id: lot.rollover ? rolloverId(lot.lotId) : null,
      ...{ granted_micros: lot.grantedMicros, spent_micros: lot.spentMicros, expired_micros: lot.expiredMicros },
      ...{ owed_micros: lot.owedMicros, given_back_micros: lot.givenBackMicros },
      ...{ refunded_micros: lot.takenMicros.refund, disputed_micros: lot.takenMicros.dispute },
      ...{ corrected_micros: lot.takenMicros.correction, left_micros: lot.leftMicros },
      lacking_parts: lot.lackingParts,
    })),
  )
  if (rows.length === 0) return
  await sql.query(
    `insert into credit_lots.lots (${LOT_COLUMNS})
     select ${LOT_COLUMNS} from jsonb_populate_recordset(null::credit_lots.lots, $1::jsonb)
     on conflict (company_id, lot_id) do update set ${LOT_SUMS.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [jsonOf(rows)],
  )
}

const LOT_SUMS = [
  ...['granted_micros', 'spent_micros', 'expired_micros', 'owed_micros', 'given_back_micros'],
  ...['refunded_micros', 'disputed_micros', 'corrected_micros', 'left_micros', 'lacking_parts'],
]
const LOT_TERMS = ['company_id', 'lot_id', 'age', 'source', 'priority', 'expires_at', 'rollover', 'rollover_id']
const LOT_COLUMNS = [...LOT_TERMS, ...LOT_SUMS].join(', ')

async function writeEntries(sql: Sql, { entries }: LotBookChanges): Promise<void> {
  if (entries.length === 0) return
  await sql.query(
    `insert into credit_lots.entries (event_id, kind, lot_id, taking_id)
     select * from jsonb_to_recordset($1::jsonb) as new (event_id uuid, kind text, lot_id text, taking_id text)
     on conflict do nothing`,
    [
      jsonOf(
        entries.map(({ eventId, entry }) => ({
          ...{ event_id: eventId, kind: entry.kind, lot_id: entry.lotId },
          taking_id: entry.kind === 'refund' ? entry.takingId : null,
        })),
      ),
    ],
  )
}

/** The id of the grant by which unused credits of a lot roll over: once. */
export function rolloverId(lotId: string): string {
  return deterministicId(`rollover:${lotId}`)
}

export type StoredCompany = { readonly companyId: string; readonly revision: number; readonly snapshot: LotsSnapshot }

type StoredLot = {
  readonly companyId: string
  readonly lotId: string
  readonly source: LotSource
  readonly priority: string
  readonly expiresAtMs: string | null
  readonly rollover: { readonly share: string; readonly expiresAtMs: number } | null
  readonly grantedMicros: string
  readonly spentMicros: string
  readonly expiredMicros: string
  readonly owedMicros: string
  readonly givenBackMicros: string
  readonly refundedMicros: string
  readonly disputedMicros: string
  readonly correctedMicros: string
  readonly lackingParts: readonly StoredPart[]
}
type StoredPart = { readonly lotId: string; readonly amountMicros: string }

/** The lots of these companies as they were stored last, with the charges that still have a debt. */
export async function readCompanies(sql: Sql, companyIds: readonly string[]): Promise<StoredCompany[]> {
  const companies = await sql.query<{ companyId: string; revision: string; debts: (DebtRow & StoredPart)[] }>(
    'select company_id, revision, debts from credit_lots.companies where company_id = any($1::uuid[])',
    [companyIds],
  )
  const lots = await sql.query<StoredLot>(
    `select *, (extract(epoch from expires_at) * 1000)::bigint as expires_at_ms
     from credit_lots.lots where company_id = any($1::uuid[]) order by company_id, age`,
    [companyIds],
  )
  const byCompany = Map.groupBy(lots, ({ companyId }) => companyId)
  const charges = await readCharges(
    sql,
    companies.flatMap(({ companyId, debts }) =>
      debts.flatMap(({ of }) => (of && 'chargeId' in of ? [{ companyId, chargeId: of.chargeId }] : [])),
    ),
  )
  return companies.map(({ companyId, revision, debts }) => ({
    companyId,
    revision: Number(revision),
    snapshot: {
      lots: (byCompany.get(companyId) ?? []).map(lotOf),
      charges: chargesWithDebts(debts).map((chargeId) => ({
        ...{ chargeId, isRecent: true, parts: charges.get(`${companyId} ${chargeId}`) ?? [] },
      })),
      debts: debts.map(({ of, amountMicros }) => ({ of, amountMicros: BigInt(amountMicros) })),
      recentSinceMs: null,
    },
  }))
}

function chargesWithDebts(debts: readonly Pick<DebtRow, 'of'>[]): string[] {
  return [...new Set(debts.flatMap(({ of }) => (of && 'chargeId' in of ? [of.chargeId] : [])))]
}

function lotOf(row: StoredLot): LotRow {
  return {
    ...{ lotId: row.lotId, source: row.source, priority: Number(row.priority), rollover: row.rollover },
    expiresAtMs: row.expiresAtMs === null ? null : Number(row.expiresAtMs),
    ...{ grantedMicros: BigInt(row.grantedMicros), spentMicros: BigInt(row.spentMicros) },
    ...{ expiredMicros: BigInt(row.expiredMicros), owedMicros: BigInt(row.owedMicros) },
    givenBackMicros: BigInt(row.givenBackMicros),
    takenMicros: {
      refund: BigInt(row.refundedMicros),
      dispute: BigInt(row.disputedMicros),
      correction: BigInt(row.correctedMicros),
    },
    lackingParts: row.lackingParts.map(partOf),
  }
}

const partOf = ({ lotId, amountMicros }: StoredPart): PartRow => ({ lotId, amountMicros: BigInt(amountMicros) })

export async function readEntries(sql: Sql, eventIds: readonly string[]): Promise<Map<string, CorrectableEntry>> {
  if (eventIds.length === 0) return new Map()
  const rows = await sql.query<{ eventId: string; kind: string; lotId: string; takingId: string | null }>(
    'select event_id, kind, lot_id, taking_id from credit_lots.entries where event_id = any($1::uuid[])',
    [eventIds],
  )
  return new Map(
    rows.map(({ eventId, kind, lotId, takingId }): [string, CorrectableEntry] =>
      kind === 'refund' ? [eventId, { kind, lotId, takingId: takingId ?? '' }] : [eventId, { kind: 'grant', lotId }],
    ),
  )
}

/** Amounts are bigints, which JSON has as strings. */
function jsonOf(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
}
