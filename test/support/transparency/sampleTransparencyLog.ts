import { checkpointText } from '../../../capabilities/transparency/checkpoint.ts'
import { type EntryEvent, type EntrySource, entryOf, entrySource } from '../../../capabilities/transparency/entry.ts'
import type { EntryReceipt } from '../../../capabilities/transparency/entryReceipt.ts'
import { GrowingTree } from '../../../capabilities/transparency/growingTree.ts'
import { HASH_BYTES, type Hash, leafHash, sha256 } from '../../../capabilities/transparency/hashes.ts'
import { signCheckpoint } from '../../../capabilities/transparency/note.ts'
import { consistencyProof, inclusionProof, type ReadTiles } from '../../../capabilities/transparency/proofs.ts'
import { RECEIPT_VERSION, type Receipt } from '../../../capabilities/transparency/receiptReader.ts'
import { SaltSecret } from '../../../capabilities/transparency/saltSecret.ts'
import type { Tile } from '../../../capabilities/transparency/tiles.ts'
import { tlogProofText } from '../../../capabilities/transparency/tlogProof.ts'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import { COMMON_LEDGER_ID, type LedgerEvent } from '../../../contracts/events/ledger.ts'
import type { Position } from '../../../contracts/position.ts'
import { streamName } from '../../../contracts/streams.ts'
import { signingKey } from '../../../platform/secrets/noteKeys.ts'
import { anEvent } from '../events/events.ts'

export const ORIGIN = 'log.tollgate.test/ledger'
/** Fixed, so that a failure can be repeated. */
export const KEY = signingKey(ORIGIN, sha256('the key of the sample log'))
export const OLD_KEY = signingKey(ORIGIN, sha256('the key before it'))

/** When its checkpoints are signed. */
export const SIGNED_AT_MS = Date.parse('2026-03-01T10:00:40.000Z')

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** A log in memory, which stores tiles as a log does: full ones once, those of the right edge with every checkpoint. */
export class SampleTransparencyLog {
  readonly entries: Hash[] = []
  readonly sources: EntrySource[] = []
  /** Signed notes by the size of their tree. */
  readonly checkpoints = new Map<number, string>()
  readonly #tree = new GrowingTree()
  readonly #tiles = new Map<string, Uint8Array>()
  readonly #chains = new Map<string, { number: number; previous: Hash | null }>()

  readonly readTiles: ReadTiles = async (tiles) =>
    tiles.map(({ level, index, width }) => {
      const tile = this.#tiles.get(`${level}/${index}`)
      if (tile === undefined) throw new Error(`there is no tile ${index} of level ${level}`)
      return tile.subarray(0, width * HASH_BYTES)
    })

  get size(): number {
    return this.#tree.size
  }

  append(companyId: string, { type, data }: LedgerEvent, id?: string): void {
    const chain = this.#chains.get(companyId) ?? { number: 0, previous: null }
    const stored: RecordedEvent = {
      ...anEvent(data, id, type),
      stream: streamName('ledger', companyId),
      revision: chain.number,
      position: String(this.size) as Position,
      recordedAt: '2026-03-01T10:00:31.000Z',
    }
    const source = entrySource(stored, chain, new SaltSecret(sha256(`the log secret of ${companyId}`)))
    const entry = entryOf(source)
    this.#chains.set(companyId, { number: chain.number + 1, previous: entry })
    this.sources.push(source)
    this.entries.push(entry)
    this.#keep(this.#tree.append(leafHash(entry)))
  }

  checkpoint(keys = [KEY]): string {
    this.#keep(this.#tree.partialTiles())
    const text = checkpointText({ origin: ORIGIN, size: this.size, root: this.#tree.root() })
    const note = signCheckpoint(text, keys, SIGNED_AT_MS)
    this.checkpoints.set(this.size, note)
    return note
  }

  /** The receipt of an entry in the tree of the last checkpoint, with its price book if that is in the tree. */
  async receipt(index: number, { since }: { since?: number } = {}): Promise<Receipt> {
    const entry = await this.#entryReceipt(index, since)
    const book = this.#bookOf(entry.event)
    return { version: RECEIPT_VERSION, ...entry, book: book === -1 ? null : await this.#entryReceipt(book) }
  }

  #bookOf({ type, stream, data }: EntryEvent): number {
    if (type !== 'CallCharged') return -1
    const [size = 0] = [...this.checkpoints].at(-1) ?? []
    const { bookId } = data.price as { bookId?: string }
    const streams = [stream, streamName('ledger', COMMON_LEDGER_ID)]
    return this.sources
      .slice(0, size)
      .findIndex(({ event }) => streams.includes(event.stream) && event.data.bookId === bookId && bookId !== undefined)
  }

  async #entryReceipt(index: number, since?: number): Promise<EntryReceipt> {
    const [size, checkpoint] = [...this.checkpoints].at(-1) ?? []
    const source = this.sources[index]
    if (size === undefined || checkpoint === undefined || source === undefined) throw new Error('it is not sealed yet')
    const inclusion = await inclusionProof(index, size, this.readTiles)
    const proof = { index, inclusion, checkpoint }
    const consistency =
      since === undefined
        ? {}
        : { consistency: { oldSize: since, hashes: await consistencyProof(since, size, this.readTiles) } }
    return {
      event: source.event,
      previous: source.previous === null ? null : base64(source.previous),
      salt: base64(source.salt),
      proof: tlogProofText({ ...proof, ...consistency }),
    }
  }

  #keep(tiles: readonly Tile[]): void {
    for (const { level, index, hashes } of tiles) this.#tiles.set(`${level}/${index}`, hashes)
  }
}
