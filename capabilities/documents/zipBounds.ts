import { inflateRawSync } from 'node:zlib'
import { Unreadable } from './unreadable.ts'

const END_MARK = Buffer.from('PK\u0005\u0006', 'latin1')
const END_BYTES = 22
const ENTRY_MARK = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const ENTRIES_MAX = 2_000
const ENCRYPTED_FLAG = 1
const STORED = 0
const DEFLATED = 8

const BROKEN = 'The DOCX file is damaged or cut off.'

/**
 * Unpacks every part of an archive to check the limit, and discards the result. The sizes stated in an archive may be
 * wrong, and the library that reads it next has no limit.
 */
export function checkZipBounds(zip: Buffer, unpackedBytesMax: number): void {
  let left = unpackedBytesMax
  for (const part of partsOf(zip)) {
    if (part.method === STORED) left -= part.data.length
    else if (part.method === DEFLATED) left -= inflatedLength(part.data, left)
    else throw new Unreadable(BROKEN)
    if (left < 0) throw tooLarge()
  }
}

function* partsOf(zip: Buffer): Generator<{ method: number; data: Buffer }> {
  const end = zip.lastIndexOf(END_MARK)
  if (end === -1 || end + END_BYTES > zip.length) throw new Unreadable(BROKEN)
  const count = zip.readUInt16LE(end + 10)
  const start = zip.readUInt32LE(end + 16)
  if (count > ENTRIES_MAX) throw tooLarge()
  // Bytes before or between the parts could be read as a different archive than the one checked here.
  if (start + zip.readUInt32LE(end + 12) !== end) throw new Unreadable(BROKEN)
  let at = start
  for (let n = 0; n < count; n++) {
    if (at + ENTRY_BYTES > end || zip.readUInt32LE(at) !== ENTRY_MARK) throw new Unreadable(BROKEN)
    if (zip.readUInt16LE(at + 8) & ENCRYPTED_FLAG) throw new Unreadable('The DOCX file is encrypted.')
    const local = zip.readUInt32LE(at + 42)
    if (local + LOCAL_BYTES > start) throw new Unreadable(BROKEN)
    const from = local + LOCAL_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const to = from + zip.readUInt32LE(at + 20)
    if (to > start) throw new Unreadable(BROKEN)
    yield { method: zip.readUInt16LE(at + 10), data: zip.subarray(from, to) }
    at += ENTRY_BYTES + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  if (at !== end) throw new Unreadable(BROKEN)
}

function inflatedLength(data: Buffer, bytesMax: number): number {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, bytesMax) }).length
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : new Unreadable(BROKEN)
  }
}

function tooLarge(): Unreadable {
  return new Unreadable('The DOCX file is too large when unpacked.')
}
