import type { Checkpoint } from '../../capabilities/transparency/checkpoint.ts'
import { CHECKPOINTS_STREAM } from '../../contracts/streams.ts'
import type { SavedEvent } from '../backup/savedEvent.ts'

/** What the transparency log had published when the backup was taken, from the events of the file in order. */
export class SavedTransparencyLog {
  readonly #published: Checkpoint | null
  /** The origin of the last checkpoint, or the one that was started after it. */
  origin: string | null = null
  /** Whether a restore started the origin. Otherwise it is the configured one. */
  isStarted = false
  /** The size of the newest checkpoint of that origin. */
  size = 0
  /** In base64; the root of the checkpoint with the origin and size of the published one. */
  rootAtPublished: string | null = null
  /** The revision of the last event of the stream. */
  revision = -1
  readonly earlierOrigins = new Set<string>()

  /** `published` is the newest published checkpoint, if the operator knows it. */
  constructor(published: Checkpoint | null) {
    this.#published = published
  }

  add({ stream, revision, type, data }: SavedEvent): void {
    if (stream !== CHECKPOINTS_STREAM) return
    this.revision = revision
    const { origin, size, root } = data as { origin: string; size: number; root?: string }
    if (origin !== this.origin) {
      if (this.origin !== null) this.earlierOrigins.add(this.origin)
      this.earlierOrigins.delete(origin)
      this.origin = origin
      this.isStarted = false
      this.size = 0
    }
    if (type === 'LogOriginStarted') this.isStarted = true
    if (type !== 'CheckpointSigned' || root === undefined) return
    this.size = size
    if (origin === this.#published?.origin && size === this.#published.size) this.rootAtPublished = root
  }
}
