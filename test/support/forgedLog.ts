import { createSecretKey, randomBytes } from 'node:crypto'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { LOG_STREAM } from '../../contracts/streams.ts'
import { checkpointText } from '../../services/platform/transparency/checkpoint.ts'
import { entryOf, entrySource } from '../../services/platform/transparency/entry.ts'
import { GrowingTree } from '../../services/platform/transparency/growingTree.ts'
import { type Hash, leafHash } from '../../services/platform/transparency/hashes.ts'
import { signNote } from '../../services/platform/transparency/note.ts'
import type { Tile } from '../../services/platform/transparency/tiles.ts'
import type { ReadModels } from './readModels.ts'
import { ORIGIN, testLogKeys } from './sealedLog.ts'

/** Replaces the tables of the log by those of the present events, as a person with all access to the database can. */
export async function forgeLog({ database, store }: ReadModels): Promise<{ size: number; root: Hash }> {
  await database.query('truncate ledger_log.entries, ledger_log.tiles')
  const tree = new GrowingTree()
  const tiles: Tile[] = []
  const chains = new Map<string, { number: number; previous: Hash | null }>()
  const { events, position } = await store.readAll({ after: BEGINNING, categories: ['ledger'], limit: 100_000 })
  for (const event of events as readonly RecordedEvent[]) {
    const companyId = event.stream.slice('ledger-'.length)
    const chain = chains.get(companyId) ?? { number: 0, previous: null }
    await database.query(
      'insert into platform.log_secrets (company_id, secret) values ($1, $2) on conflict do nothing',
      [companyId, randomBytes(32)],
    )
    const [row] = await database.query<{ secret: Buffer }>(
      'select secret from platform.log_secrets where company_id = $1',
      [companyId],
    )
    const source = entrySource(event, chain, createSecretKey(row?.secret ?? Buffer.of()))
    const entry = entryOf(source)
    await database.query('insert into ledger_log.entries values ($1, $2, $3, $4, $5, $6, $7)', [
      tree.size,
      entry,
      event.id,
      companyId,
      chain.number,
      event.revision,
      source.event.time,
    ])
    chains.set(companyId, { number: chain.number + 1, previous: entry })
    tiles.push(...tree.append(leafHash(entry)))
  }
  for (const { level, index, hashes } of [...tiles, ...tree.partialTiles()]) {
    await database.query('insert into ledger_log.tiles values ($1, $2, $3)', [level, index, hashes])
  }
  await database.query('update ledger_log.progress set position = $1, size = $2', [position, tree.size])
  return { size: tree.size, root: tree.root() }
}

/** Signs a checkpoint of any tree, as only the holder of the key can, and records it. */
export async function signCheckpoint(models: ReadModels, { size, root }: { size: number; root: Hash }): Promise<void> {
  const note = signNote(checkpointText({ origin: ORIGIN, size, root }), testLogKeys.of(ORIGIN))
  const signedAt = '2026-03-01T10:05:00.000Z'
  const data = { origin: ORIGIN, size, root: Buffer.from(root).toString('base64'), note, signedAt }
  const { revision } = await models.append(LOG_STREAM, { type: 'CheckpointSigned', data })
  await models.database.query('insert into ledger_log.checkpoints values ($1, $2, $3, $4, $5, $6)', [
    revision,
    ORIGIN,
    size,
    root,
    note,
    signedAt,
  ])
}
