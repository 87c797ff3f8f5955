import { LOG_STREAM } from '../../../contracts/streams.ts'
import type { Engines } from '../../../services/platform/engines.ts'
import { GrowingTree } from '../../../services/platform/transparency/growingTree.ts'
import type { Hash } from '../../../services/platform/transparency/hashes.ts'
import { readTiles } from '../../../services/platform/transparency/logReader.ts'
import type { LogBounds } from './bounds.ts'
import { CheckpointAudit, type CheckpointSources, type KeysOf, verifyHeld } from './checkpoints.ts'
import { LogFaults } from './faults.ts'
import { type AuditState, treeOf } from './state.ts'
import { TreeAudit } from './tree.ts'

/** A checkpoint that somebody has kept. */
export type HeldCheckpoint = { readonly file: string; readonly note: string }

export type TreeOptions = Pick<Engines, 'database' | 'store'> & {
  readonly bounds: LogBounds
  readonly start: AuditState | null
  /** How many the stream of checkpoints has. */
  readonly checkpointEvents: number
  readonly keysOf: KeysOf
  readonly held: readonly HeldCheckpoint[]
}

export type AuditedTree = {
  readonly tree: GrowingTree
  readonly checkpoints: CheckpointAudit
  readonly faults: LogFaults
}

/**
 * Computes the tree from the entries of the log, and compares it with the tiles and with every checkpoint. `corrected` has
 * the entries that the rows have wrong, by their index.
 */
export async function auditTree(
  { database, store, bounds, start, checkpointEvents, keysOf, held }: TreeOptions,
  corrected: ReadonlyMap<number, Hash>,
): Promise<AuditedTree> {
  const { size } = bounds
  const faults = new LogFaults()
  const audit = new TreeAudit(database, start ? treeOf(start) : new GrowingTree(), corrected, faults)
  const { tree } = audit
  const sources: CheckpointSources = { tree: audit, readTiles: readTiles(database), keysOf, faults, size }
  const checkpoints = new CheckpointAudit(sources)
  const from = start?.checkpointEvents ?? 0
  for await (const event of store.readStream(LOG_STREAM, { from, limit: checkpointEvents - from })) {
    await checkpoints.add(event)
  }
  if (await audit.growTo(size)) await audit.end()
  else faults.add(`the log has no entry ${tree.size}, and ${size} entries in all`, { index: tree.size })
  for (const { file, note } of held) await verifyHeld(file, note, sources)
  return { tree, checkpoints, faults }
}
