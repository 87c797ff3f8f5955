import type { Installation } from '../../capabilities/installation.ts'
import { checkpointText } from '../../capabilities/transparency/checkpoint.ts'
import { GrowingTree } from '../../capabilities/transparency/growingTree.ts'
import { sha256 } from '../../capabilities/transparency/hashes.ts'
import { signNote } from '../../capabilities/transparency/note.ts'
import { SEALED_CATEGORIES, TransparencyBuilder } from '../../capabilities/transparency/sealing/builder.ts'
import { beginSealing, SEALED_SCHEMA, writeAddition } from '../../capabilities/transparency/sealing/tables.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { CHECKPOINTS_STREAM } from '../../contracts/streams.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { newEvent } from '../../platform/eventStore/eventCodec.ts'
import { READ_PAGE_EVENTS_MAX } from '../../platform/eventStore/storeLimits.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { signingKey } from '../../platform/secrets/noteKeys.ts'

const EPOCH = 1
/** The log has no readers outside the benchmark. */
export const BENCH_KEY = signingKey('log.bench', sha256('the key of the benchmark'))

/** Seals all ledgers of an installation without a sealer, and signs a checkpoint of them. */
export async function sealLedgers({ database, storeAsWritten: store }: Installation): Promise<void> {
  const { generation } = await beginSealing(database, EPOCH)
  const tree = new GrowingTree()
  const { idsAreUnique } = store
  const builder = new TransparencyBuilder({ schema: SEALED_SCHEMA, tree, idsAreUnique, createsSecrets: true })
  const head = await store.head()
  for (let position = BEGINNING; position < head; ) {
    const page = { after: position, categories: SEALED_CATEGORIES, limit: READ_PAGE_EVENTS_MAX }
    const batch = await store.readAll(page)
    const addition = await builder.add(database, batch, position, batch.position >= head)
    await writeAddition(database, { epoch: EPOCH, generation }, addition, { size: tree.size, root: tree.root() })
    position = batch.position
  }
  const { name: origin } = BENCH_KEY
  const checkpoint = { origin, size: tree.size, root: tree.root() }
  const root = Buffer.from(checkpoint.root).toString('base64')
  const note = signNote(checkpointText(checkpoint), [BENCH_KEY])
  const signedAt = new Date(systemClock.now()).toISOString()
  const event = { type: 'CheckpointSigned', data: { origin, size: tree.size, root, note, signedAt } }
  const id = systemIds.uuid()
  const cause = { correlationId: id, causationId: id, actor: { kind: 'system', name: 'bench' } } as const
  await store.append(CHECKPOINTS_STREAM, 'none', [newEvent(id, event, cause)])
  await database.query('vacuum analyze ledger_log.entries')
}
