import type { RecordedEvent } from '../../contracts/envelope.ts'
import { streamName } from '../../contracts/streams.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import type { Log } from '../../platform/logger/logger.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import { type EntryEvent, entryOf, entrySource } from './entry.ts'
import { saveReceiptFault } from './faults.ts'
import { type Hash, leafHash } from './hashes.ts'
import { proveByNeighbours } from './neighbours.ts'
import { consistencyProof, inclusionProof, type ReadTiles, rootFromInclusion } from './proofs.ts'
import { SaltSecret } from './saltSecret.ts'
import { tlogProofText } from './tlogProof.ts'

/** The version of the format, for checkers that do not know it. Older receipts have none but the same other fields. */
export const RECEIPT_VERSION = 1

/** The document that `check/check.mjs` checks. */
export type Receipt = {
  readonly version: typeof RECEIPT_VERSION
  readonly event: EntryEvent
  /** The company's entry before this one, in base64; null for its first. */
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

export class ReceiptReader {
  readonly #sources: ReceiptSources

  constructor(sources: ReceiptSources) {
    this.#sources = sources
  }

  /** null if the company has no such event, or no checkpoint covers it yet. A returned receipt was verified. */
  async read(companyId: string, eventId: string, options: ReceiptOptions = {}): Promise<Receipt | null> {
    try {
      return await this.#read(companyId, eventId, options)
    } catch (error) {
      if (error instanceof ReceiptFault) await this.#noteFault(error)
      throw error
    }
  }

  /** Health endpoints report it from now on. */
  async #noteFault({ eventId, reason }: ReceiptFault): Promise<void> {
    const { database, log } = this.#sources
    await saveReceiptFault(database, eventId, reason).catch((error: unknown) => {
      log.error({ err: error, eventId }, 'a receipt that does not verify could not be reported')
    })
  }

  async #read(companyId: string, eventId: string, { keyId, since }: ReceiptOptions): Promise<Receipt | null> {
    const { database } = this.#sources
    const place = await findPlace(database, companyId, eventId)
    if (place === null) return null
    const { index, size, note } = place
    const { readTiles } = this.#sources
    // The proofs do not depend on the event, so everything is read at once.
    const [stored, { previous, inclusion: nearest }, consistency] = await Promise.all([
      this.#storedEvent(companyId, place.revision),
      proveByNeighbours(database, place, readTiles),
      since === undefined || since > size ? [] : consistencyProof(since, size, readTiles),
    ])
    if (stored?.id === eventId && keyId !== undefined && stored.data.keyId !== keyId) return null
    if (since !== undefined && since > size) throw new TransparencyLogShorter(since, size)

    const fault = (reason: string) => {
      this.#sources.log.error({ eventId, companyId, index, reason }, 'the ledger does not match its log')
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
      version: RECEIPT_VERSION,
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

  async #storedEvent(companyId: string, revision: number): Promise<RecordedEvent | undefined> {
    const stream = streamName('ledger', companyId)
    for await (const event of this.#sources.store.readStream(stream, { from: revision, limit: 1 })) return event
    return undefined
  }
}

type Place = {
  readonly companyId: string
  readonly index: number
  readonly entry: Hash
  readonly number: number
  readonly revision: number
  readonly secret: Buffer | null
  readonly size: number
  readonly root: Hash
  readonly note: string
}

type PlaceRow = {
  index: string
  entry: Buffer
  number: string
  revision: string
  secret: Buffer | null
  size: string
  root: Buffer
  note: string
}

/** The place of the event in its stream and in the log, and the latest checkpoint; null if that does not cover it. */
async function findPlace(sql: Sql, companyId: string, eventId: string): Promise<Place | null> {
  const [row] = await sql.query<PlaceRow>(
    `select entries.index, entries.entry, entries.number, entries.revision, secret, size, root, note
     from ledger_log.entries
     join (
       select size, root, note from ledger_log.checkpoints
       where origin = coalesce((select origin from ledger_log.progress), origin)
       order by number desc limit 1
     ) latest on latest.size > entries.index
     left join platform.log_secrets secrets on secrets.company_id = entries.company_id
     where entries.event_id = $1 and entries.company_id = $2`,
    [eventId, companyId],
    'place of a receipt',
  )
  if (row === undefined) return null
  const { index, number, revision, size, ...rest } = row
  const numbers = { index: Number(index), number: Number(number), revision: Number(revision), size: Number(size) }
  return { ...rest, ...numbers, companyId }
}
