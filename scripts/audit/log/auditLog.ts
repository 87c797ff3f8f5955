import type { Position } from '../../../contracts/position.ts'
import { LOG_STREAM } from '../../../contracts/streams.ts'
import { creditBalances } from '../../../projections/creditBalances/projection.ts'
import { readCheckpoint } from '../../../projections/runner/checkpoints.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import { readModelSnapshot } from '../../../projections/runner/snapshot.ts'
import type { Engines } from '../../../services/platform/engines.ts'
import { readFeedId } from '../../../services/platform/feed/relayProgress.ts'
import { GrowingTree } from '../../../services/platform/transparency/growingTree.ts'
import type { Hash } from '../../../services/platform/transparency/hashes.ts'
import { readTiles } from '../../../services/platform/transparency/logReader.ts'
import { CheckpointAudit, type CheckpointSources, type KeysOf, verifyHeld, verifyVerified } from './checkpoints.ts'
import { auditCompanyLog, type CompanyRow, type LogBounds } from './company.ts'
import { LogFaults } from './faults.ts'
import { type AuditState, base64, type CompanyState, edgeOf, treeOf } from './state.ts'
import { TreeAudit } from './tree.ts'

export type LogAuditOptions = {
  readonly keysOf: KeysOf
  /** What an earlier audit has verified; null before the first. */
  readonly state: AuditState | null
  /** Verifies everything, also what the state says was verified. */
  readonly isFull: boolean
  /** Checkpoints that somebody has kept. */
  readonly held: readonly { readonly file: string; readonly note: string }[]
  readonly now: string
}

export type LogAuditEngines = Pick<Engines, 'database' | 'store' | 'storeAsWritten'>

export type LogAudit = {
  /** The entries from here on were verified, up to the size. */
  readonly from: number
  readonly size: number
  readonly root: string
  readonly companies: number
  readonly checkpoints: number
  readonly lastCheckpoint: { readonly origin: string; readonly size: number; readonly signedAt: string } | null
  /** Why the sealer signs nothing more. */
  readonly sealerFault: { readonly what: string; readonly eventId: string | null } | null
  readonly faults: LogFaults
  /** To be kept; null if there are faults. */
  readonly state: AuditState | null
}

/**
 * Computes the ledger's log again from the event store and compares it with the log's tables and with every checkpoint that
 * was signed; on the way it adds up the balance of every company.
 */
export async function auditLog(engines: LogAuditEngines, options: LogAuditOptions): Promise<LogAudit> {
  const { database, store } = engines
  const { keysOf, held, now } = options
  // Before the log, because a checkpoint is signed after its entries were written.
  const checkpointEvents = await countCheckpoints(engines)
  const storeId = await readFeedId(database)
  const { bounds, companies, progress } = await readBounds(engines, options.state)
  const faults = new LogFaults()
  if (progress.fault !== null) faults.add(`the sealer stopped: ${progress.fault}`, { eventId: progress.faultEvent })
  const tiles = readTiles(database)
  const isAsVerified = options.state === null || (await verifyVerified(options.state, bounds.size, tiles, faults))
  // A restored store has other revisions, so everything in it is verified again; so is a log that was changed.
  const continues = isAsVerified && !options.isFull && options.state?.storeId === storeId
  const start = continues ? options.state : null

  const corrected = new Map<number, Hash>()
  const tree = new TreeAudit(database, start ? treeOf(start) : new GrowingTree(), corrected, faults)
  const sources: CheckpointSources = { tree, readTiles: tiles, keysOf, faults, size: bounds.size }
  const states = new Map<string, CompanyState>()
  for (const company of companies) {
    const before = start?.companies.get(company.companyId)
    states.set(company.companyId, await auditCompanyLog(engines, company, bounds, before, { faults, corrected }))
  }
  const checkpoints = new CheckpointAudit(sources)
  const from = start?.checkpointEvents ?? 0
  for await (const event of store.readStream(LOG_STREAM, { from, limit: checkpointEvents - from })) {
    await checkpoints.add(event)
  }
  if (await tree.growTo(bounds.size)) await tree.end()
  else
    faults.add(`the log has no entry ${tree.tree.size}, and ${bounds.size} entries in all`, { index: tree.tree.size })
  for (const { file, note } of held) await verifyHeld(file, note, sources)

  const root = base64(tree.tree.root())
  const last = checkpoints.last?.data ?? null
  return {
    from: start?.size ?? 0,
    size: bounds.size,
    root,
    companies: companies.length,
    checkpoints: checkpoints.count,
    lastCheckpoint: last && { origin: last.origin, size: last.size, signedAt: last.signedAt },
    sealerFault: progress.fault === null ? null : { what: progress.fault, eventId: progress.faultEvent },
    faults,
    state:
      faults.count > 0
        ? null
        : {
            version: 1,
            storeId,
            size: bounds.size,
            root,
            edge: edgeOf(tree.tree),
            checkpoint: last?.note ?? start?.checkpoint ?? null,
            checkpointEvents,
            verifiedAt: now,
            companies: states,
          },
  }
}

async function countCheckpoints({ store }: Pick<Engines, 'store'>): Promise<number> {
  for await (const { revision } of store.readStream(LOG_STREAM, { direction: 'backwards', limit: 1 }))
    return revision + 1
  return 0
}

type Progress = { readonly fault: string | null; readonly faultEvent: string | null }

async function readBounds({ database }: Pick<Engines, 'database'>, state: AuditState | null) {
  const read = await readModelSnapshot(database, [creditBalances], async (sql) => ({
    ...(await readProgress(sql)),
    balancePosition: await balancePosition(sql),
    companies: await readCompanies(sql),
  }))
  const { size, sealedPosition, balancePosition: reached, companies, fault, faultEvent } = read
  const known = new Set(companies.map(({ companyId }) => companyId))
  const gone = [...(state?.companies.keys() ?? [])].filter((companyId) => !known.has(companyId))
  const bounds: LogBounds = { size, sealedPosition, balancePosition: reached }
  const progress: Progress = { fault, faultEvent }
  return {
    bounds,
    progress,
    companies: [...companies, ...gone.map((companyId): CompanyRow => ({ companyId, secret: null, balanceMicros: 0n }))],
  }
}

async function readProgress(sql: Sql) {
  const [row] = await sql.query<{ position: Position; size: string; fault: string | null; fault_event: string | null }>(
    'select position, size, fault, fault_event from ledger_log.progress',
  )
  if (!row) throw new Error('ledger_log.progress has no row: run "npm run rebuild -- ledger-log"')
  return { size: Number(row.size), sealedPosition: row.position, fault: row.fault, faultEvent: row.fault_event }
}

async function balancePosition(sql: Sql): Promise<Position> {
  const checkpoint = await readCheckpoint(sql, creditBalances.name)
  if (!checkpoint) throw new Error('read model credit-balances is not built yet: start the projector once')
  return Object.values(checkpoint.positions).toSorted()[0] ?? ('' as Position)
}

/** Every company that has entries, a secret or a balance. */
async function readCompanies(sql: Sql): Promise<CompanyRow[]> {
  const rows = await sql.query<{ company_id: string; secret: Buffer | null; balance_micros: string | null }>(
    `select company_id, secret, balance_micros from (
       select distinct company_id from ledger_log.entries
       union select company_id from platform.log_secrets
       union select company_id from read_models.credit_balances
     ) as known
     left join platform.log_secrets using (company_id) left join read_models.credit_balances using (company_id)
     order by company_id`,
  )
  return rows.map(({ company_id: companyId, secret, balance_micros: micros }) => ({
    companyId,
    secret,
    balanceMicros: BigInt(micros ?? 0),
  }))
}
