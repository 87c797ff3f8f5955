import { readFault } from '../../../capabilities/transparency/faults.ts'
import type { Checkpoint, Position } from '../../../contracts/position.ts'
import type { Engines } from '../../../platform/engines.ts'
import { creditBalances } from '../../../projections/creditBalances/projection.ts'
import { readCheckpoint } from '../../../projections/runner/checkpoints.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import { readModelSnapshot } from '../../../projections/runner/snapshot.ts'
import type { AuditState } from './state.ts'

/** The scope of the audit, as it was at the beginning. */
export type TransparencyBounds = {
  /** The size of the log, in entries. */
  readonly size: number
  /** Every event up to here is sealed. */
  readonly sealedPosition: Position
  /** How far credit-balances is built, by partition of the feed. */
  readonly balancePositions: Checkpoint
}

export type CompanyRow = {
  readonly companyId: string
  readonly secret: Buffer | null
  readonly balanceMicros: bigint
  /** How many entries the company has. */
  readonly entries: number
}

/** Reads how far the log and the balances are, and all companies, including those of an earlier audit. */
export async function readBounds({ database }: Pick<Engines, 'database'>, state: AuditState | null) {
  const read = await readModelSnapshot(database, [creditBalances], async (sql) => ({
    ...(await readProgress(sql)),
    fault: await readFault(sql),
    balancePositions: await balancePositions(sql),
    companies: await readCompanies(sql),
  }))
  const { companies, fault, ...bounds } = read
  const known = new Set(companies.map(({ companyId }) => companyId))
  const gone = [...(state?.companies.keys() ?? [])].filter((companyId) => !known.has(companyId))
  return { bounds: bounds satisfies TransparencyBounds, fault, companies: [...companies, ...gone.map(goneCompany)] }
}

const goneCompany = (companyId: string): CompanyRow => ({ companyId, secret: null, balanceMicros: 0n, entries: 0 })

async function readProgress(sql: Sql) {
  const [row] = await sql.query<{ position: Position; size: string }>('select position, size from ledger_log.progress')
  if (!row) throw new Error('ledger_log.progress has no row: run "npm run rebuild -- ledger-log"')
  return { size: Number(row.size), sealedPosition: row.position }
}

async function balancePositions(sql: Sql): Promise<Checkpoint> {
  const checkpoint = await readCheckpoint(sql, creditBalances.name)
  if (!checkpoint) throw new Error('read model credit-balances is not built yet: start the projector once')
  return checkpoint.positions
}

type CompanyColumns = {
  companyId: string
  secret: Buffer | null
  balanceMicros: string | null
  entries: string | null
}

/**
 * Every company that has entries, a secret or a balance. The last entry of each company is looked up, one company after
 * the other: grouping the log by company would read all of it, even for an audit of its newest entries.
 */
async function readCompanies(sql: Sql): Promise<CompanyRow[]> {
  const rows = await sql.query<CompanyColumns>(
    `with recursive logged as (
       (select company_id, number + 1 as entries from ledger_log.entries order by company_id desc, number desc limit 1)
       union all
       select next.company_id, next.entries from logged cross join lateral (
         select company_id, number + 1 as entries from ledger_log.entries
         where company_id < logged.company_id order by company_id desc, number desc limit 1) as next
     )
     select company_id, secret, balance_micros, entries from (
       select company_id from platform.log_secrets union select company_id from read_models.credit_balances
     ) as known
     full join logged using (company_id)
     left join platform.log_secrets using (company_id) left join read_models.credit_balances using (company_id)
     order by company_id`,
  )
  return rows.map(({ companyId, secret, balanceMicros: micros, entries }) => ({
    companyId,
    secret,
    balanceMicros: BigInt(micros ?? 0),
    entries: Number(entries ?? 0),
  }))
}
