import { crc32, deflateRawSync } from 'node:zlib'

/** A part by its contents; or packed already, with whatever size it states of itself. */
export type ZipPart = string | Buffer | { readonly packed: Buffer; readonly statedBytes: number }

/** A ZIP archive, made by hand so that it can be made wrong. */
export function zipOf(parts: Readonly<Record<string, ZipPart>>): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let at = 0
  for (const [name, part] of Object.entries(parts)) {
    const isPacked = typeof part === 'object' && 'packed' in part
    const contents = isPacked ? Buffer.alloc(0) : Buffer.from(part)
    const packed = isPacked ? part.packed : deflateRawSync(contents)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(contents), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(isPacked ? part.statedBytes : contents.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), packed])
    const behind = Buffer.alloc(14)
    behind.writeUInt32LE(at, 10)
    entries.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, behind, Buffer.from(name)]),
    )
    locals.push(local)
    at += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...locals, directory, Buffer.from('PK\u0005\u0006'), end])
}
