/**
 * Arrays in the binary format of PostgreSQL, as parameters of a query. The server reads them several times as fast as
 * text: in an insert with ids and times, parsing the text takes as long as writing the rows.
 */

const OID = { int2: 21, int8: 20, bytea: 17, uuid: 2950, timestamptz: 1184 } as const
/** Dimensions, flags, the type of the elements, the length and the lower bound. */
const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const [INT2_BYTES, INT8_BYTES, UUID_BYTES] = [2, 8, 16]
const EPOCH_MS = Date.UTC(2000, 0, 1)

export function int2Array(values: readonly number[]): Buffer {
  return fixedArray(OID.int2, INT2_BYTES, values, (bytes, value, at) => bytes.writeInt16BE(value, at))
}

/** An array of safe integers. */
export function int8Array(values: readonly number[]): Buffer {
  return fixedArray(OID.int8, INT8_BYTES, values, writeInt8)
}

export function uuidArray(values: readonly string[]): Buffer {
  return fixedArray(OID.uuid, UUID_BYTES, values, writeUuid)
}

/** An array of times in ISO 8601. */
export function timestamptzArray(values: readonly string[]): Buffer {
  return fixedArray(OID.timestamptz, INT8_BYTES, values, (bytes, text, at) => {
    const ms = Date.parse(text)
    if (Number.isNaN(ms)) throw new Error(`${JSON.stringify(text)} is not a time`)
    writeInt8(bytes, (ms - EPOCH_MS) * 1_000, at)
  })
}

export function byteaArray(values: readonly Uint8Array[]): Buffer {
  let size = HEADER_BYTES
  for (const value of values) size += LENGTH_BYTES + value.length
  const bytes = beginArray(OID.bytea, values.length, size)
  let at = HEADER_BYTES
  for (const value of values) {
    at = bytes.writeInt32BE(value.length, at)
    bytes.set(value, at)
    at += value.length
  }
  return bytes
}

function fixedArray<Value>(
  oid: number,
  elementBytes: number,
  values: readonly Value[],
  write: (bytes: Buffer, value: Value, at: number) => void,
): Buffer {
  const step = LENGTH_BYTES + elementBytes
  const bytes = beginArray(oid, values.length, HEADER_BYTES + values.length * step)
  for (let nth = 0, at = HEADER_BYTES; nth < values.length; nth += 1, at += step) {
    bytes.writeInt32BE(elementBytes, at)
    write(bytes, values[nth] as Value, at + LENGTH_BYTES)
  }
  return bytes
}

function beginArray(oid: number, length: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(0, 4)
  bytes.writeInt32BE(oid, 8)
  bytes.writeInt32BE(length, 12)
  bytes.writeInt32BE(1, 16)
  return bytes
}

const HIGH = 2 ** 32

function writeInt8(bytes: Buffer, value: number, at: number): void {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a safe integer`)
  const high = Math.floor(value / HIGH)
  bytes.writeInt32BE(high, at)
  bytes.writeUInt32BE(value - high * HIGH, at + 4)
}

const UUID_CHARS = 36
const DASH = 0x2d
/** Indexed by character code; -1 if it is not a hexadecimal digit. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) => '0123456789abcdef'.indexOf(lowerCaseOf(code)))

function lowerCaseOf(code: number): string {
  return String.fromCharCode(code).toLowerCase()
}

function writeUuid(bytes: Buffer, text: string, at: number): void {
  let isUuid = text.length === UUID_CHARS
  let to = at
  for (let from = 0; isUuid && from < UUID_CHARS; from += 2) {
    if (from === 8 || from === 13 || from === 18 || from === 23) {
      isUuid = text.charCodeAt(from) === DASH
      from += 1
    }
    const high = DIGITS[text.charCodeAt(from)] ?? -1
    const low = DIGITS[text.charCodeAt(from + 1)] ?? -1
    if (high < 0 || low < 0) isUuid = false
    bytes[to++] = (high << 4) | low
  }
  if (!isUuid) throw new Error(`${JSON.stringify(text)} is not a UUID`)
}
