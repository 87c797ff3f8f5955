import { type Checkpoint, checkpointText, parseCheckpoint } from '../../../capabilities/transparency/checkpoint.ts'
import { openNote, signedAtMs } from '../../../capabilities/transparency/note.ts'
import { type ReadTiles, rootAt } from '../../../capabilities/transparency/proofs.ts'
import type { Recorded } from '../../../contracts/envelope.ts'
import type { TransparencyEvent } from '../../../contracts/events/transparency.ts'
import type { AuditFaults } from './faults.ts'
import type { KeyChain } from './keyChain.ts'
import type { AuditState } from './state.ts'
import type { TreeAudit } from './tree.ts'

type Rotated = Recorded<Extract<TransparencyEvent, { type: 'LogKeyRotated' }>>
type Signed = Recorded<Extract<TransparencyEvent, { type: 'CheckpointSigned' }>>

export type CheckpointSources = {
  readonly tree: TreeAudit
  readonly readTiles: ReadTiles
  readonly keys: KeyChain
  readonly faults: AuditFaults
  /** The number of entries in the log. */
  readonly size: number
}

/** Verifies the checkpoints recorded in the store, in order, and that the tree had the roots they state. */
export class CheckpointAudit {
  readonly #sources: CheckpointSources
  /** The last one of the current origin. */
  #last: Signed | null = null
  /** The size up to which signed roots matched, and the first that did not. */
  metSize = 0
  #isBroken = false
  count = 0

  constructor(sources: CheckpointSources) {
    this.#sources = sources
  }

  get last(): Signed | null {
    return this.#last
  }

  async add(event: Recorded<TransparencyEvent>): Promise<void> {
    if (event.type === 'LogOriginStarted') {
      this.#last = null
      return
    }
    if (event.type === 'LogKeyRotated') return this.#verifyRotation(event)
    if (event.type !== 'CheckpointSigned') return
    this.count += 1
    const before = this.#last
    this.#last = event
    const isSigned = this.#verifySignature(event)
    if (before && before.data.origin !== event.data.origin) {
      this.#fault(event, `has the origin ${event.data.origin}, which no restore has started`)
    } else if (before && before.data.size > event.data.size) {
      this.#fault(event, `is smaller than checkpoint ${before.revision}, of ${before.data.size} entries`)
    } else if (before && before.data.size === event.data.size && before.data.root !== event.data.root) {
      this.#fault(event, `has another root than checkpoint ${before.revision} of the same size`)
    } else if (isSigned) {
      await this.#verifyRoot(event)
    }
  }

  /** The tables of the log must contain this verified rotation. */
  #verifyRotation({ id, stream, revision, data }: Rotated): void {
    const place = { stream, eventId: id, revision }
    if (this.#last && this.#last.data.origin !== data.origin) {
      this.#sources.faults.add(`a key of ${data.origin} was replaced, which is not the origin of the log then`, place)
    }
    if (this.#sources.keys.rotationAt(revision)?.note === data.note) return
    this.#sources.faults.add("the log's tables lack a rotation of its key, or have another one", place)
  }

  #verifySignature(event: Signed): boolean {
    const { origin, size, root, note, signedAt } = event.data
    try {
      const keys = this.#sources.keys.at(origin, event.revision)
      const text = openNote(note, keys)
      const atMs = signedAtMs(note, keys)
      if (text !== checkpointText({ origin, size, root: Buffer.from(root, 'base64') })) {
        this.#fault(event, 'has a note that was signed for another tree')
      } else if (atMs !== null && atMs !== Math.floor(Date.parse(signedAt) / 1000) * 1000) {
        this.#fault(event, `says that it was signed at ${signedAt}, but its note says another time`)
      } else return true
    } catch (error) {
      this.#fault(event, `is not signed: ${(error as Error).message}`)
    }
    return false
  }

  async #verifyRoot(event: Signed): Promise<void> {
    const { size, root } = event.data
    if (size > this.#sources.size) {
      this.#fault(event, `was signed, but the log has only ${this.#sources.size} entries`)
      return
    }
    const actual = await rootOf(size, this.#sources)
    if (actual === null) this.#fault(event, 'cannot be computed again: entries of the log are missing')
    else if (Buffer.from(actual).toString('base64') === root) this.metSize = Math.max(this.metSize, size)
    else if (!this.#isBroken) {
      this.#isBroken = true
      const range = size > this.metSize ? `entries ${this.metSize} to ${size - 1}` : `the entries before ${size}`
      this.#fault(event, `has another root: ${range} are not those that were signed`)
    }
  }

  #fault({ id, stream, revision, data }: Signed, what: string): void {
    const name = `checkpoint ${revision} of ${data.size} entries`
    this.#sources.faults.add(`${name} ${what}`, { stream, eventId: id, revision })
  }
}

/** Verifies a checkpoint that an outsider has kept. */
export async function verifyHeld(file: string, note: string, sources: CheckpointSources): Promise<void> {
  const { faults, keys, size } = sources
  let held: Checkpoint
  try {
    const stated = parseCheckpoint(`${note.split('\n\n', 1)[0]}\n`)
    held = parseCheckpoint(openNote(note, keys.forSize(stated.origin, stated.size)))
  } catch (error) {
    faults.add(`the checkpoint in ${file} is not one of this log: ${(error as Error).message}`)
    return
  }
  if (held.size > size) {
    faults.add(`the checkpoint in ${file} covers ${held.size} entries, the log has only ${size}`)
    return
  }
  const actual = await rootOf(held.size, sources)
  if (actual !== null && Buffer.compare(actual, held.root) === 0) return
  faults.add(
    `the checkpoint in ${file} has another root: the first ${held.size} entries are not those that were signed`,
  )
}

/** Whether the log still contains the tree that an earlier audit verified. */
export async function verifyVerified(
  { size, root, verifiedAt }: Pick<AuditState, 'size' | 'root' | 'verifiedAt'>,
  sizeNow: number,
  readTiles: ReadTiles,
  faults: AuditFaults,
): Promise<boolean> {
  if (size > sizeNow) {
    faults.add(`the audit of ${verifiedAt} has verified ${size} entries, the log has only ${sizeNow}`)
    return false
  }
  const actual = await rootAt(size, readTiles).catch(() => null)
  if (actual !== null && Buffer.from(actual).toString('base64') === root) return true
  faults.add(`the tiles of the first ${size} entries are not those that the audit of ${verifiedAt} has verified`)
  return false
}

/** The root of the tree at a size. For sizes before the tree under construction, only the tiles have it. */
async function rootOf(size: number, { tree, readTiles }: CheckpointSources): Promise<Uint8Array | null> {
  if (size >= tree.tree.size) return (await tree.growTo(size)) ? tree.tree.root() : null
  return rootAt(size, readTiles).catch(() => null)
}
