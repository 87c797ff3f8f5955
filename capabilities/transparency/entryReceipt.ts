import type { RecordedEvent } from '../../contracts/envelope.ts'
import { streamName } from '../../contracts/streams.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import type { Log } from '../../platform/logger/logger.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import { type EntryEvent, entryOf, entrySource } from './entry.ts'
import type { Place } from './entryPlace.ts'
import { type Hash, leafHash } from './hashes.ts'
import { proveByNeighbours } from './neighbours.ts'
import { consistencyProof, inclusionProof, type ReadTiles, rootFromInclusion } from './proofs.ts'
import { SaltSecret } from './saltSecret.ts'
import { tlogProofText } from './tlogProof.ts'

/** An entry of the log with the proof of its place. */
export type EntryReceipt = {
  readonly event: EntryEvent
  /** The entry before this one on the same ledger, in base64; null for its first. */
  readonly previous: string | null
  /** In base64. */
  readonly salt: string
  /** C2SP tlog-proof. */
  readonly proof: string
}

export type ReceiptOptions = {
  /** Only an event of a call made with this key. */
  readonly keyId?: string
  /** The size of an older checkpoint; the receipt then proves that the log still contains that tree. */
  readonly since?: number | undefined
}

/** The store or the tree no longer matches what the log has signed, so a receipt of the event would not verify. */
export class ReceiptFault extends Error {
  readonly eventId: string
  readonly reason: string

  constructor(eventId: string, reason: string) {
    super(`There is no receipt of event ${eventId}: ${reason}. Please report this to the operator of the ledger.`)
    this.name = 'ReceiptFault'
    this.eventId = eventId
    this.reason = reason
  }
}

/** There is no proof from a tree that is larger than the log. */
export class TransparencyLogShorter extends Error {
  constructor(since: number, size: number) {
    super(`since is ${since}, but the log's latest checkpoint covers ${size} entries: it cannot contain a larger tree`)
    this.name = 'TransparencyLogShorter'
  }
}

export type ReceiptSources = {
  readonly database: Sql
  /** Without upcasting: an entry is computed from the version that was stored. */
  readonly store: Pick<EventStore, 'readStream'>
  readonly readTiles: ReadTiles
  readonly log: Pick<Log, 'error'>
}

/** The receipt of the entry at the place, which was verified; null if another key made the call. */
export async function entryReceipt(
  { database, store, readTiles, log }: ReceiptSources,
  place: Place,
  { keyId, since }: ReceiptOptions = {},
): Promise<EntryReceipt | null> {
  const { companyId, eventId, index, size, note } = place
  // The proofs do not depend on the event, so everything is read at once.
  const [stored, { previous, inclusion: nearest }, consistency] = await Promise.all([
    storedEvent(store, place),
    proveByNeighbours(database, place, readTiles),
    since === undefined || since > size ? [] : consistencyProof(since, size, readTiles),
  ])
  if (stored?.id === eventId && keyId !== undefined && stored.data.keyId !== keyId) return null
  if (since !== undefined && since > size) throw new TransparencyLogShorter(since, size)

  const fault = (reason: string) => {
    log.error({ eventId, companyId, index, reason }, 'the ledger does not match its log')
    return new ReceiptFault(eventId, reason)
  }
  if (stored?.id !== eventId) throw fault('the event store no longer has the event where it was logged')
  if (place.secret === null) throw fault("the secret of the company's entries is missing")
  const source = entrySource(stored, { number: place.number, previous }, new SaltSecret(place.secret))
  if (Buffer.compare(entryOf(source), place.entry) !== 0) {
    throw fault('the event in the store is not the one that was logged')
  }
  const isProof = (hashes: readonly Hash[]): boolean => {
    const root = rootFromInclusion(leafHash(place.entry), index, size, hashes)
    return root !== undefined && Buffer.compare(root, place.root) === 0
  }
  // A changed neighbour does not make this event unprovable: the tile has the hash that was signed.
  const inclusion = isProof(nearest) ? nearest : await inclusionProof(index, size, readTiles)
  if (!isProof(inclusion)) throw fault("the log's tree is not the one that was signed")
  return {
    event: source.event,
    previous: previous === null ? null : previous.toString('base64'),
    salt: Buffer.from(source.salt).toString('base64'),
    proof: tlogProofText({
      index,
      inclusion,
      checkpoint: note,
      ...(since === undefined ? {} : { consistency: { oldSize: since, hashes: consistency } }),
    }),
  }
}

async function storedEvent(
  store: ReceiptSources['store'],
  { companyId, revision }: Place,
): Promise<RecordedEvent | undefined> {
  for await (const event of store.readStream(streamName('ledger', companyId), { from: revision, limit: 1 }))
    return event
  return undefined
}
