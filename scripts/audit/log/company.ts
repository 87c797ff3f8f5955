import { createSecretKey } from 'node:crypto'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import { streamName } from '../../../contracts/streams.ts'
import { balanceMicros } from '../../../domain/ledger/balance.ts'
import { evolve, ledgerDecider } from '../../../domain/ledger/decider.ts'
import { upcast } from '../../../services/platform/commands/eventCodec.ts'
import type { Engines } from '../../../services/platform/engines.ts'
import type { Hash } from '../../../services/platform/transparency/hashes.ts'
import { ChainAudit } from './chain.ts'
import type { LogFaults } from './faults.ts'
import { base64, type CompanyState } from './state.ts'

/** What is audited, as it was at the beginning. */
export type LogBounds = {
  /** Of the log, in entries. */
  readonly size: number
  /** Every event up to here is sealed. */
  readonly sealedPosition: Position
  /** How far credit-balances is built. */
  readonly balancePosition: Position
}

export type CompanyRow = { readonly companyId: string; readonly secret: Buffer | null; readonly balanceMicros: bigint }

const NEW_COMPANY: CompanyState = {
  number: 0,
  previous: null,
  revision: -1,
  position: BEGINNING,
  sums: ledgerDecider.initialState(),
}

/** Verifies the entries of a company, and its balance. Returns how far that came. */
export async function auditCompanyLog(
  { database, storeAsWritten }: Pick<Engines, 'database' | 'storeAsWritten'>,
  { companyId, secret, balanceMicros: readModelMicros }: CompanyRow,
  bounds: LogBounds,
  start: CompanyState = NEW_COMPANY,
  { faults, corrected }: { faults: LogFaults; corrected: Map<number, Hash> },
): Promise<CompanyState> {
  const stream = streamName('ledger', companyId)
  if (secret === null && (await hasEntries(database, companyId))) {
    faults.add("the company's log secret is missing, so none of its entries can be computed again", {
      companyId,
      stream,
    })
    return start
  }
  const chain = new ChainAudit({
    sql: database,
    companyId,
    stream,
    secret: createSecretKey(secret ?? Buffer.alloc(32)),
    head: { number: start.number, previous: start.previous === null ? null : Buffer.from(start.previous, 'base64') },
    size: bounds.size,
    sealedPosition: bounds.sealedPosition,
    idsAreUnique: storeAsWritten.idsAreUnique,
    faults,
    corrected,
  })
  let { revision, position, sums: sealedSums } = start
  let sums = sealedSums
  let sumsOfModel = position <= bounds.balancePosition ? sums : null
  // Where a store may hold an event twice, the log tells copies of what is sealed. The rest is short.
  const unsealed = new Set<string>()
  for await (const event of storeAsWritten.readStream(stream, { from: start.revision + 1 })) {
    const added = chain.add(event)
    const sealing = typeof added === 'string' ? added : await added
    if (sealing === 'copy' || unsealed.has(event.id)) continue
    if (sealing === 'unsealed') unsealed.add(event.id)
    sums = evolve(sums, upcast<'ledger'>(event))
    if (event.position <= bounds.balancePosition) sumsOfModel = sums
    if (sealing !== 'sealed') continue
    revision = event.revision
    position = event.position
    sealedSums = sums
  }
  await chain.end()
  if (sumsOfModel && balanceMicros(sumsOfModel) !== readModelMicros) {
    const what = `the balance is ${readModelMicros} micros in the read model, and ${balanceMicros(sumsOfModel)} by the ledger`
    faults.add(what, { companyId, stream })
  }
  const { number, previous } = chain.head
  return { number, previous: previous === null ? null : base64(previous), revision, position, sums: sealedSums }
}

async function hasEntries(database: Engines['database'], companyId: string): Promise<boolean> {
  const rows = await database.query('select 1 from ledger_log.entries where company_id = $1 limit 1', [companyId])
  return rows.length > 0
}
