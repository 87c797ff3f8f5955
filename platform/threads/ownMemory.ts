/** Bytes whose memory can be transferred to a thread. */
export type Bytes = Uint8Array<ArrayBuffer>

/** The bytes in memory that nothing else uses. A buffer joined from chunks already has that. */
export function ownMemory(bytes: Buffer): Bytes {
  const isAlone = bytes.byteOffset === 0 && bytes.buffer.byteLength === bytes.length
  return isAlone ? new Uint8Array(bytes.buffer as ArrayBuffer) : new Uint8Array(bytes)
}

export function asBuffer({ buffer, byteOffset, byteLength }: Bytes): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
