import { streamName } from '../../../contracts/streams.ts'
import type { EventStore } from '../../../platform/eventStore/port.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import { HASH_BYTES, leafHash } from '../hashes.ts'
import { readEntries, readTiles, type SealedEntry } from '../reader.ts'
import { TILE_WIDTH } from '../tiles.ts'
import type { TransparencyAddition } from './builder.ts'
import { TransparencyFault } from './fault.ts'
import { compareCheckpoint } from './tables.ts'

/**
 * Compares what was recomputed from the store with the stored log, up to this size. Throws a TransparencyFault that
 * names the first event that differs.
 */
export async function compareWithSealed(
  sql: Sql,
  store: Pick<EventStore, 'readStream'>,
  addition: TransparencyAddition,
  size: number,
): Promise<void> {
  const computed = addition.entries.filter(({ index }) => index < size)
  const stored = await readEntries(sql, addition.from, computed.length)
  for (const [at, entry] of computed.entries()) {
    const recorded = stored[at]
    if (!recorded || recorded.index !== entry.index) {
      throw new TransparencyFault(
        `entry ${entry.index} of the log, which is that of event ${entry.eventId}, is missing`,
        entry.eventId,
      )
    }
    if (!isSame(recorded, entry)) throw await differenceOf(sql, store, recorded, entry)
  }
  const full = addition.tiles.filter(({ hashes }) => hashes.length === TILE_WIDTH * HASH_BYTES)
  const tiles = await readTiles(sql)(full.map(({ level, index }) => ({ level, index, width: TILE_WIDTH })))
  for (const [at, { level, index, hashes }] of full.entries()) {
    const stored = tiles[at] ?? Buffer.of()
    if (Buffer.compare(hashes, stored) === 0) continue
    const first = firstDifference(hashes, stored)
    const [entry] = await readEntries(sql, (index * TILE_WIDTH + first) * TILE_WIDTH ** level, 1)
    const from = entry ? `, from the entry ${entry.index} of event ${entry.eventId} on` : ''
    throw new TransparencyFault(`tile ${index} of level ${level} of the log was changed${from}`, entry?.eventId ?? null)
  }
  for (const checkpoint of addition.checkpoints) {
    if (checkpoint.data.size <= size) await compareCheckpoint(checkpoint, null, readTiles(sql))
  }
}

/** The index of the first hash in which two tiles differ. */
function firstDifference(hashes: Uint8Array, others: Uint8Array): number {
  const at = hashes.findIndex((byte, n) => byte !== others[n])
  return Math.floor(Math.max(0, at) / HASH_BYTES)
}

const isSame = (one: SealedEntry, other: SealedEntry): boolean =>
  one.eventId === other.eventId &&
  one.companyId === other.companyId &&
  one.number === other.number &&
  one.revision === other.revision &&
  Buffer.compare(one.entry, other.entry) === 0

/** Describes what happened to an entry that does not match the store. */
async function differenceOf(
  sql: Sql,
  store: Pick<EventStore, 'readStream'>,
  recorded: SealedEntry,
  computed: SealedEntry,
): Promise<TransparencyFault> {
  const { index, eventId } = recorded
  if (computed.eventId === eventId && computed.companyId === recorded.companyId) {
    const [tile = Buffer.of()] = await readTiles(sql)([
      { level: 0, index: Math.floor(index / TILE_WIDTH), width: (index % TILE_WIDTH) + 1 },
    ])
    const isInTree = Buffer.compare(tile.subarray(-HASH_BYTES), leafHash(computed.entry)) === 0
    const what = isInTree
      ? `the stored entry ${index} of event ${eventId}`
      : `event ${eventId}, entry ${index} of the log,`
    return new TransparencyFault(`${what} was changed since it was sealed`, eventId)
  }
  const [known] = await sql.query('select 1 from ledger_log.entries where event_id = $1 and company_id = $2', [
    computed.eventId,
    computed.companyId,
  ])
  if (!known) {
    return new TransparencyFault(
      `event ${computed.eventId} was inserted into the store before event ${eventId}, entry ${index} of the log`,
      computed.eventId,
    )
  }
  if (await isInStore(store, recorded)) {
    return new TransparencyFault(
      `event ${eventId}, entry ${index} of the log, has another place in the store now`,
      eventId,
    )
  }
  return new TransparencyFault(`event ${eventId}, entry ${index} of the log, was removed from the store`, eventId)
}

/** Where it was, or beside it. */
async function isInStore(store: Pick<EventStore, 'readStream'>, { companyId, eventId, revision }: SealedEntry) {
  const from = Math.max(0, revision - 1)
  for await (const { id } of store.readStream(streamName('ledger', companyId), { from, limit: 3 })) {
    if (id === eventId) return true
  }
  return false
}
