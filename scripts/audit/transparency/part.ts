import type { ChainHead } from '../../../capabilities/transparency/entry.ts'
import type { Hash } from '../../../capabilities/transparency/hashes.ts'
import { SaltSecret } from '../../../capabilities/transparency/saltSecret.ts'
import type { Position } from '../../../contracts/position.ts'
import { streamName } from '../../../contracts/streams.ts'
import { evolve, type LedgerState, ledgerDecider } from '../../../domain/ledger/decider.ts'
import type { Engines } from '../../../platform/engines.ts'
import { upcast } from '../../../platform/eventStore/eventCodec.ts'
import { positionFor } from '../../../projections/runner/checkpoints.ts'
import type { TransparencyBounds } from './bounds.ts'
import { ChainAudit } from './chain.ts'
import { AuditFaults } from './faults.ts'

/** A part of a company's ledger. */
export type LedgerPart = {
  readonly companyId: string
  readonly secret: Uint8Array
  /** The entries before it. */
  readonly head: ChainHead
  /** Of its first event. */
  readonly revision: number
  /** The first entry of the next part and the revision of its event; null for the last part. */
  readonly until: { readonly number: number; readonly revision: number } | null
}

export type AuditedPart = {
  readonly head: ChainHead
  /** The sum of its events, starting from zero. */
  readonly sums: LedgerState
  /** The last sealed event, and the sum of the events up to it; null if none is. */
  readonly sealed: { readonly revision: number; readonly position: Position; readonly sums: LedgerState } | null
  /** The sum of the events up to the last one in the read model; null if it has none of them. */
  readonly sumsOfModel: LedgerState | null
  readonly hasUnsealed: boolean
}

/** Where an audit reports what it finds: faults, and entries in which the tree and the table differ. */
export type Findings = { readonly faults: AuditFaults; readonly corrected: Map<number, Hash> }

export type PartEngines = Pick<Engines, 'database' | 'storeAsWritten'>

/** Verifies the entries of a part of a ledger, and adds up its events. */
export async function auditPart(
  { database, storeAsWritten }: PartEngines,
  { size, sealedPosition, balancePositions }: TransparencyBounds,
  { companyId, secret, head, revision: from, until }: LedgerPart,
  { faults, corrected }: Findings,
): Promise<AuditedPart> {
  const stream = streamName('ledger', companyId)
  const chain = new ChainAudit({
    sql: database,
    companyId,
    stream,
    secret: new SaltSecret(secret),
    head,
    untilNumber: until?.number ?? null,
    size,
    sealedPosition,
    idsAreUnique: storeAsWritten.idsAreUnique,
    faults,
    corrected,
  })
  const balancePosition = positionFor(stream, balancePositions)
  let sums = ledgerDecider.initialState()
  let sealed: AuditedPart['sealed'] = null
  let sumsOfModel: LedgerState | null = null
  // If a store may hold an event twice, the log reveals copies of sealed events. The rest is short.
  const unsealed = new Set<string>()
  const limit = until && { limit: until.revision - from }
  for await (const event of storeAsWritten.readStream(stream, { from, ...limit })) {
    // The limit does not end the part if some of its events are missing.
    if (until && event.revision >= until.revision) break
    const added = chain.add(event)
    const sealing = typeof added === 'string' ? added : await added
    if (sealing === 'copy' || unsealed.has(event.id)) continue
    if (sealing === 'unsealed') unsealed.add(event.id)
    sums = evolve(sums, upcast<'ledger'>(event))
    const { position, revision } = event
    if (position <= balancePosition) sumsOfModel = sums
    if (sealing === 'sealed') sealed = { revision, position, sums }
  }
  await chain.end()
  return { head: chain.head, sums, sealed, sumsOfModel, hasUnsealed: unsealed.size > 0 }
}

/** The same for a part whose faults are of no interest: null if it has any. */
export async function auditWholePart(
  engines: PartEngines,
  bounds: TransparencyBounds,
  part: LedgerPart,
): Promise<AuditedPart | null> {
  const findings: Findings = { faults: new AuditFaults(), corrected: new Map() }
  const audited = await auditPart(engines, bounds, part, findings)
  return findings.faults.count === 0 ? audited : null
}
