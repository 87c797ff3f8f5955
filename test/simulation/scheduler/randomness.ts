import nodeCrypto from 'node:crypto'
import { currentRun } from './currentRun.ts'
import { Random } from './random.ts'
import { replace } from './replace.ts'
import { wholeNowMs } from './time.ts'

/** Before the first run, while the database starts, there is a fixed source. */
const bootBytes = new Random(1)

function fill<View extends NodeJS.ArrayBufferView>(view: View): View {
  const source = currentRun()?.secrets ?? bootBytes
  source.fill(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
  return view
}

function uuid(version: 4 | 7): string {
  const bytes = fill(Buffer.alloc(16))
  if (version === 7) bytes.writeUIntBE(wholeNowMs(), 0, 6)
  bytes[6] = ((bytes[6] as number) & 0x0f) | (version << 4)
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const fraction = (): number => fill(Buffer.alloc(4)).readUInt32BE() / 2 ** 32

export function installRandomness(): void {
  replace(nodeCrypto, {
    randomBytes: (size: number, callback?: (error: null, bytes: Buffer) => void) => {
      const bytes = fill(Buffer.alloc(size))
      if (callback) queueMicrotask(() => callback(null, bytes))
      return bytes
    },
    randomFill: (view: NodeJS.ArrayBufferView, callback: (error: null, view: NodeJS.ArrayBufferView) => void) =>
      queueMicrotask(() => callback(null, fill(view))),
    randomFillSync: fill,
    randomUUID: () => uuid(4),
    randomUUIDv7: () => uuid(7),
    randomInt: (least: number, limit?: number) =>
      limit === undefined ? Math.floor(fraction() * least) : least + Math.floor(fraction() * (limit - least)),
  })
  // `node:crypto` reads these where they are.
  replace(globalThis.crypto, { getRandomValues: fill, randomUUID: () => uuid(4) })
  Math.random = fraction
}
