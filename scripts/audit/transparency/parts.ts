import type { Sql } from '../../../projections/runner/ports.ts'
import type { CompanyRow, TransparencyBounds } from './bounds.ts'
import { auditCompanyEntries, conclude, NEW_COMPANY, restOf } from './company.ts'
import { AuditFaults } from './faults.ts'
import type { AuditedPart, Findings, LedgerPart, PartEngines } from './part.ts'
import type { AuditState, CompanyState } from './state.ts'

/** Ledgers that are audited in parts, many at the same time. */
export type PartsOptions = {
  /** A log with fewer entries to verify is not divided. */
  readonly sealedEntriesMin: number
  /** The number of entries per part. */
  readonly entries: number
  readonly companiesAtOnce: number
  /** null if something in it is wrong. For a long ledger, all parts are handed over at once. */
  readonly audit: (part: LedgerPart, bounds: TransparencyBounds) => Promise<AuditedPart | null>
}

/** Verifies the entries and the balance of every company. Returns how far it got for each. */
export async function auditCompanies(
  engines: PartEngines,
  companies: readonly CompanyRow[],
  bounds: TransparencyBounds,
  start: AuditState | null,
  findings: Findings,
  parts?: PartsOptions,
): Promise<Map<string, CompanyState>> {
  const states = new Map<string, CompanyState>()
  const startOf = ({ companyId }: CompanyRow) => start?.companies.get(companyId) ?? NEW_COMPANY
  const remaining = companies.values()
  const auditSome = async ({ entries, audit }: PartsOptions) => {
    for (const company of remaining) {
      const state = await auditInParts(engines.database, company, bounds, startOf(company), { entries, audit })
      if (state) states.set(company.companyId, state)
    }
  }
  if (parts && bounds.size - (start?.size ?? 0) >= parts.sealedEntriesMin)
    await Promise.all(Array.from({ length: parts.companiesAtOnce }, () => auditSome(parts)))
  // Faults in the others are found and named by going through their ledgers in order.
  for (const company of companies) {
    if (states.has(company.companyId)) continue
    states.set(company.companyId, await auditCompanyEntries(engines, company, bounds, startOf(company), findings))
  }
  return states
}

/**
 * A part begins with the previous entry as found in the log, which matches the events if the previous part has no
 * fault. Returns null if something is wrong.
 */
async function auditInParts(
  sql: Sql,
  company: CompanyRow,
  bounds: TransparencyBounds,
  start: CompanyState,
  { entries, audit }: Pick<PartsOptions, 'entries' | 'audit'>,
): Promise<CompanyState | null> {
  if (company.secret === null) return null
  const rest = restOf(company.companyId, company.secret, start)
  const parts = await partsOf(sql, rest, company.entries, bounds, entries)
  const audited: AuditedPart[] = []
  for (const [at, result] of (await Promise.all(parts.map((part) => audit(part, bounds)))).entries()) {
    const next = parts[at]?.until
    if (!result || (next && (result.hasUnsealed || result.head.number !== next.number))) return null
    audited.push(result)
  }
  const faults = new AuditFaults()
  const state = conclude(company, bounds, start, audited, faults)
  return faults.count === 0 ? state : null
}

type Boundary = { readonly number: number; readonly revision: number; readonly previous: string }

/** Divides the rest of a ledger. There is no boundary where a row of the log is missing. */
async function partsOf(
  sql: Sql,
  rest: LedgerPart,
  entries: number,
  { size }: TransparencyBounds,
  partEntries: number,
): Promise<LedgerPart[]> {
  const count = Math.floor((entries - rest.head.number) / partEntries)
  const numbers = Array.from({ length: Math.max(0, count) }, (_, at) => rest.head.number + (at + 1) * partEntries)
  const parts: LedgerPart[] = []
  let from = rest
  for (const { number, revision, previous } of await readBoundaries(sql, rest.companyId, numbers, size)) {
    parts.push({ ...from, until: { number, revision } })
    from = { ...rest, head: { number, previous }, revision }
  }
  return [...parts, from]
}

async function readBoundaries(
  sql: Sql,
  companyId: string,
  numbers: readonly number[],
  size: number,
): Promise<Boundary[]> {
  if (numbers.length === 0) return []
  const rows = await sql.query<{ number: string; revision: string; previous: Buffer }>(
    `select first.number, first.revision, last.entry as previous
     from ledger_log.entries first join ledger_log.entries last
       on last.company_id = first.company_id and last.number = first.number - 1
     where first.company_id = $1 and first.number = any($2::bigint[]) and first.index < $3 and last.index < $3
     order by first.number`,
    [companyId, numbers, size],
  )
  return rows.map(({ number, revision, previous }) => ({
    number: Number(number),
    revision: Number(revision),
    previous: previous.toString('base64'),
  }))
}
