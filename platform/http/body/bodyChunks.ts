import { joined } from './joined.ts'

/** Chunks from this size on are kept as they are; smaller ones are copied together. */
const WHOLE_CHUNK_BYTES_MIN = 1024
const BLOCK_BYTES = 16 * 1024

/** How many chunks a body may have, plus one for each CHUNK_BYTES_MIN of its bytes. */
const CHUNKS_MAX = 10_000
const CHUNK_BYTES_MIN = 64

/** Each chunk costs microseconds, however small: a body sent byte by byte costs more than any large one. */
export function areTooSmall(chunks: number, bytes: number): boolean {
  return chunks > CHUNKS_MAX + bytes / CHUNK_BYTES_MIN
}

/**
 * The chunks of a body. A buffer has an overhead of about a hundred bytes, so a body that arrives byte by byte would
 * otherwise take a hundred times its size.
 */
export class BodyChunks {
  readonly #chunks: Buffer[] = []
  #block: Buffer | null = null
  #blockBytes = 0

  add(chunk: Buffer): void {
    // Most bodies are one chunk, which is not copied.
    if (this.#chunks.length === 0 || chunk.length >= WHOLE_CHUNK_BYTES_MIN) {
      this.#endBlock()
      this.#chunks.push(chunk)
      return
    }
    if (this.#blockBytes + chunk.length > BLOCK_BYTES) this.#endBlock()
    this.#block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES)
    this.#blockBytes += chunk.copy(this.#block, this.#blockBytes)
  }

  /** What was added so far, in a few buffers. */
  pieces(): readonly Buffer[] {
    this.#endBlock()
    return this.#chunks
  }

  whole(): Buffer {
    return joined(this.pieces())
  }

  /** The block is reused, so that a nearly empty one does not stay in memory. */
  #endBlock(): void {
    if (this.#block === null || this.#blockBytes === 0) return
    this.#chunks.push(Buffer.from(this.#block.subarray(0, this.#blockBytes)))
    this.#blockBytes = 0
  }
}
