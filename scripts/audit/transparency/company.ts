import { BEGINNING } from '../../../contracts/position.ts'
import { streamName } from '../../../contracts/streams.ts'
import { balanceMicros } from '../../../domain/ledger/balance.ts'
import { type LedgerState, ledgerDecider } from '../../../domain/ledger/decider.ts'
import { positionFor } from '../../../projections/runner/checkpoints.ts'
import type { CompanyRow, TransparencyBounds } from './bounds.ts'
import type { AuditFaults } from './faults.ts'
import { type AuditedPart, auditPart, type Findings, type LedgerPart, type PartEngines } from './part.ts'
import type { CompanyState } from './state.ts'

export const NEW_COMPANY: CompanyState = {
  number: 0,
  previous: null,
  revision: -1,
  position: BEGINNING,
  sums: ledgerDecider.initialState(),
}

/** Verifies the entries of a company one after the other, and its balance. Returns how far it got. */
export async function auditCompanyEntries(
  engines: PartEngines,
  company: CompanyRow,
  bounds: TransparencyBounds,
  start: CompanyState,
  findings: Findings,
): Promise<CompanyState> {
  const { companyId, secret, entries } = company
  // As they were at the beginning: a company that is sealed later gets its secret with its first entry.
  if (secret === null && entries > 0) {
    findings.faults.add("the company's log secret is missing, so none of its entries can be computed again", {
      companyId,
      stream: streamName('ledger', companyId),
    })
    return start
  }
  const audited = await auditPart(engines, bounds, restOf(companyId, secret ?? Buffer.alloc(32), start), findings)
  return conclude(company, bounds, start, [audited], findings.faults)
}

/** Everything that was not verified yet. */
export const restOf = (companyId: string, secret: Uint8Array, start: CompanyState): LedgerPart => ({
  companyId,
  secret,
  head: start,
  revision: start.revision + 1,
  until: null,
})

/** Adds up the consecutive parts of a ledger and compares the balance. */
export function conclude(
  { companyId, balanceMicros: readModelMicros }: CompanyRow,
  { balancePositions }: TransparencyBounds,
  start: CompanyState,
  parts: readonly AuditedPart[],
  faults: AuditFaults,
): CompanyState {
  const stream = streamName('ledger', companyId)
  let state = start
  let { sums } = start
  let sumsOfModel = start.position <= positionFor(stream, balancePositions) ? sums : null
  for (const { head, sealed, ...part } of parts) {
    state = { ...state, ...head }
    if (sealed) state = { ...state, ...sealed, sums: total(sums, sealed.sums) }
    if (part.sumsOfModel) sumsOfModel = total(sums, part.sumsOfModel)
    sums = total(sums, part.sums)
  }
  if (sumsOfModel && balanceMicros(sumsOfModel) !== readModelMicros) {
    const what = `the balance is ${readModelMicros} micros in the read model, and ${balanceMicros(sumsOfModel)} by the ledger`
    faults.add(what, { companyId, stream })
  }
  return state
}

const total = (one: LedgerState, other: LedgerState): LedgerState => ({
  grantsMicros: one.grantsMicros + other.grantsMicros,
  chargesMicros: one.chargesMicros + other.chargesMicros,
  reversalsMicros: one.reversalsMicros + other.reversalsMicros,
  refundsMicros: one.refundsMicros + other.refundsMicros,
  adjustmentsMicros: one.adjustmentsMicros + other.adjustmentsMicros,
  settlementsMicros: one.settlementsMicros + other.settlementsMicros,
  expiriesMicros: one.expiriesMicros + other.expiriesMicros,
  withdrawalsMicros: one.withdrawalsMicros + other.withdrawalsMicros,
  reinstatementsMicros: one.reinstatementsMicros + other.reinstatementsMicros,
})
