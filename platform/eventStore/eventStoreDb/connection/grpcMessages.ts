/** The compression flag and the length of the message. */
const PREFIX_BYTES = 5
/** Protocols other than gRPC can store larger events than gRPC accepts. */
const MESSAGE_BYTES_MAX = 17 * 1024 * 1024

const NONE: readonly Buffer[] = []

/** The messages as gRPC sends them, one behind the other. */
export function framed(messages: readonly Buffer[]): Buffer {
  let size = 0
  for (const message of messages) size += PREFIX_BYTES + message.length
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const message of messages) {
    bytes[at] = 0
    bytes.writeUInt32BE(message.length, at + 1)
    message.copy(bytes, at + PREFIX_BYTES)
    at += PREFIX_BYTES + message.length
  }
  return bytes
}

/** Finds the messages in the bytes of a gRPC call. One chunk may end several of them, or none. */
export class MessageReader {
  #pieces: Buffer[] = []
  #size = 0
  /** Below this many bytes the next message is incomplete, so the chunks are not joined yet. */
  #needed = PREFIX_BYTES

  /** The messages that end in the chunk. They share its memory. */
  read(chunk: Buffer): readonly Buffer[] {
    this.#pieces.push(chunk)
    this.#size += chunk.length
    if (this.#size < this.#needed) return NONE
    const bytes = this.#pieces.length === 1 ? chunk : Buffer.concat(this.#pieces, this.#size)
    const messages: Buffer[] = []
    let at = 0
    for (let end = messageEnd(bytes, at); end <= bytes.length; end = messageEnd(bytes, at)) {
      messages.push(bytes.subarray(at + PREFIX_BYTES, end))
      at = end
    }
    this.#needed = messageEnd(bytes, at) - at
    this.#pieces = at < bytes.length ? [bytes.subarray(at)] : []
    this.#size = bytes.length - at
    return messages
  }
}

/** Where the message that begins here ends. If its prefix is incomplete, where the prefix ends. */
function messageEnd(bytes: Buffer, at: number): number {
  if (bytes.length - at < PREFIX_BYTES) return at + PREFIX_BYTES
  if (bytes[at] !== 0) throw new Error('the event store sent a compressed message, which was not asked for')
  const size = bytes.readUInt32BE(at + 1)
  if (size > MESSAGE_BYTES_MAX) {
    throw new Error(`the event store sent a message of ${size} bytes, more than the ${MESSAGE_BYTES_MAX} accepted`)
  }
  return at + PREFIX_BYTES + size
}
