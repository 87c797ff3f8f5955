import { checkpointText } from '../../../capabilities/transparency/checkpoint.ts'
import { GrowingTree } from '../../../capabilities/transparency/growingTree.ts'
import type { Hash } from '../../../capabilities/transparency/hashes.ts'
import { signNote } from '../../../capabilities/transparency/note.ts'
import { TransparencyBuilder } from '../../../capabilities/transparency/sealing/builder.ts'
import { insertAddition, SEALED_SCHEMA } from '../../../capabilities/transparency/sealing/tables.ts'
import { BEGINNING } from '../../../contracts/position.ts'
import { CHECKPOINTS_STREAM } from '../../../contracts/streams.ts'
import type { ReadModels } from '../databases/readModels.ts'
import { ORIGIN, testSigningKeys } from './sealedTransparencyLog.ts'

/** Replaces the log's tables by those of the current events, as somebody with full database access could. */
export async function forgeTransparencyLog({ database, store }: ReadModels): Promise<{ size: number; root: Hash }> {
  await database.query('truncate ledger_log.entries, ledger_log.tiles')
  const builder = new TransparencyBuilder({
    schema: SEALED_SCHEMA,
    tree: new GrowingTree(),
    idsAreUnique: store.idsAreUnique,
    createsSecrets: true,
  })
  const page = await store.readAll({ after: BEGINNING, categories: ['ledger'], limit: 100_000 })
  const addition = await builder.add(database, page, BEGINNING, true)
  const tree = { size: builder.tree.size, root: builder.tree.root() }
  await insertAddition(database, SEALED_SCHEMA, addition, tree)
  await database.query('update ledger_log.progress set position = $1, size = $2', [page.position, tree.size])
  return tree
}

/** Signs a checkpoint of any tree, as only the holder of the key can, and records it. */
export async function signCheckpoint(models: ReadModels, { size, root }: { size: number; root: Hash }): Promise<void> {
  const note = signNote(checkpointText({ origin: ORIGIN, size, root }), testSigningKeys.of(ORIGIN))
  const signedAt = '2026-03-01T10:05:00.000Z'
  const data = { origin: ORIGIN, size, root: Buffer.from(root).toString('base64'), note, signedAt }
  const { revision } = await models.append(CHECKPOINTS_STREAM, { type: 'CheckpointSigned', data })
  await models.database.query('insert into ledger_log.checkpoints values ($1, $2, $3, $4, $5, $6)', [
    revision,
    ORIGIN,
    size,
    root,
    note,
    signedAt,
  ])
}
