import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

export type BuiltFile = {
  readonly contentType: string
  readonly bytes: Buffer
  /** The same, compressed by the build; null where that saves nothing. */
  readonly brotli: Buffer | null
  readonly gzip: Buffer | null
}

/** A finished build of the console, in memory: all of it is smaller than a large request body. */
export type BuiltConsole = { readonly index: BuiltFile; readonly assets: ReadonlyMap<string, BuiltFile> }

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Reads the folder that `console/build/build.ts` made. */
export async function readBuiltConsole(folder: string): Promise<BuiltConsole> {
  const assetsFolder = join(folder, 'assets')
  const names = (await readdir(assetsFolder)).filter((name) => !/\.(br|gz)$/.test(name))
  const assets = await Promise.all(names.map(async (name) => [name, await readBuilt(assetsFolder, name)] as const))
  return { index: await readBuilt(folder, 'index.html'), assets: new Map(assets) }
}

async function readBuilt(folder: string, name: string): Promise<BuiltFile> {
  const path = join(folder, name)
  const compressed = (ending: string) => readFile(`${path}.${ending}`).catch(() => null)
  const contentType = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream'
  const [bytes, brotli, gzip] = await Promise.all([readFile(path), compressed('br'), compressed('gz')])
  return { contentType, bytes, brotli, gzip }
}
