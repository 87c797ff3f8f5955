import type { Hash } from '../../../capabilities/transparency/hashes.ts'
import { readRotations } from '../../../capabilities/transparency/keyHistory.ts'
import { newestCheckpointEvent } from '../../../capabilities/transparency/newestCheckpointEvent.ts'
import { readTiles } from '../../../capabilities/transparency/reader.ts'
import { isGone, lastShown } from '../../../capabilities/transparency/sealing/checkpointStream.ts'
import { COMMON_LEDGER_ID } from '../../../contracts/events/ledger.ts'
import { CHECKPOINTS_STREAM } from '../../../contracts/streams.ts'
import type { Engines } from '../../../platform/engines.ts'
import { readFeedId } from '../../../platform/feed/relayProgress.ts'
import { auditTree, type HeldCheckpoint, type TreeOptions } from './auditTree.ts'
import { readBounds } from './bounds.ts'
import { verifyVerified } from './checkpoints.ts'
import { AuditFaults } from './faults.ts'
import { KeyChain, type KeysOf } from './keyChain.ts'
import { auditCompanies, type PartsOptions } from './parts.ts'
import { type AuditState, base64, edgeOf } from './state.ts'

export type TransparencyAuditOptions = {
  readonly keysOf: KeysOf
  /** What an earlier audit has verified; null before the first. */
  readonly state: AuditState | null
  /** Verifies everything, even what the state says was already verified. */
  readonly isFull: boolean
  /** Checkpoints that someone has kept. */
  readonly held: readonly HeldCheckpoint[]
  readonly now: string
  /** Divides long ledgers; without it, all are audited one after the other. */
  readonly parts?: PartsOptions
}

export type TransparencyAuditEngines = Pick<Engines, 'database' | 'store' | 'storeAsWritten'>

export type TransparencyAudit = {
  /** The entries from here on were verified, up to the size. */
  readonly from: number
  readonly size: number
  readonly root: string
  /** Without the common ledger, which has only price books. */
  readonly companies: number
  readonly checkpoints: number
  readonly lastCheckpoint: { readonly origin: string; readonly size: number; readonly signedAt: string } | null
  /** Why the log does not sign, or what no longer matches it, as found by the sealer and the readers of receipts. */
  readonly sealerFault: { readonly what: string; readonly eventId: string | null } | null
  readonly faults: AuditFaults
  /** To be saved; null if there are faults. */
  readonly state: AuditState | null
}

/**
 * Recomputes the transparency log from the event store and compares it with the log's tables and with every signed
 * checkpoint; on the way it adds up the balance of every company.
 */
export async function auditTransparency(
  engines: TransparencyAuditEngines,
  options: TransparencyAuditOptions,
): Promise<TransparencyAudit> {
  const { database } = engines
  const { held, now } = options
  // Before the stream, because the log publishes a checkpoint after its event was stored.
  const shown = await lastShown(database)
  // Before the log, because a checkpoint is signed after its entries were written.
  const checkpointEvents = await countCheckpoints(engines)
  const storeId = await readFeedId(database)
  const { bounds, companies, fault } = await readBounds(engines, options.state)
  const faults = new AuditFaults()
  if (fault) faults.add(`the log has a fault: ${fault.fault}`, { eventId: fault.eventId })
  const isAsVerified =
    options.state === null || (await verifyVerified(options.state, bounds.size, readTiles(database), faults))
  // A restored store has other revisions, so everything in it is verified again; the same goes for a log that was changed.
  const continues = isAsVerified && !options.isFull && options.state?.storeId === storeId
  const start = continues ? options.state : null
  if (shown && checkpointEvents <= shown.number) {
    faults.add(isGone(shown), { stream: CHECKPOINTS_STREAM, revision: shown.number })
  } else if (start && checkpointEvents < start.checkpointEvents) {
    const verified = `the audit of ${start.verifiedAt} has verified ${start.checkpointEvents} events of ${CHECKPOINTS_STREAM}`
    faults.add(`${verified}, the store has only ${checkpointEvents}`, { stream: CHECKPOINTS_STREAM })
  }

  const keys = new KeyChain(options.keysOf, await readRotations(database, null), faults)
  const treeOptions: TreeOptions = { ...engines, bounds, start, checkpointEvents, keys, held }
  const corrected = new Map<number, Hash>()
  // The tree is computed from the entries of the log while those are compared with the events. Few audits do it twice.
  const [states, asSealed] = await Promise.all([
    auditCompanies(engines, companies, bounds, start, { faults, corrected }, options.parts),
    auditTree(treeOptions, new Map()),
  ])
  const {
    tree,
    checkpoints,
    faults: ofTree,
  } = corrected.size === 0 ? asSealed : await auditTree(treeOptions, corrected)
  faults.addAll(ofTree)

  const root = base64(tree.root())
  const last = checkpoints.last?.data ?? null
  return {
    from: start?.size ?? 0,
    size: bounds.size,
    root,
    companies: companies.filter(({ companyId }) => companyId !== COMMON_LEDGER_ID).length,
    checkpoints: checkpoints.count,
    lastCheckpoint: last && { origin: last.origin, size: last.size, signedAt: last.signedAt },
    sealerFault: fault && { what: fault.fault, eventId: fault.eventId },
    faults,
    state:
      faults.count > 0
        ? null
        : {
            version: 1,
            storeId,
            size: bounds.size,
            root,
            edge: edgeOf(tree),
            checkpoint: last?.note ?? start?.checkpoint ?? null,
            checkpointEvents,
            verifiedAt: now,
            companies: states,
          },
  }
}

async function countCheckpoints({ store }: Pick<Engines, 'store'>): Promise<number> {
  return ((await newestCheckpointEvent(store))?.revision ?? -1) + 1
}
