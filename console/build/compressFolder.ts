import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Below this size a compressed file needs as many packets as it does uncompressed. */
const COMPRESSED_BYTES_MIN = 1_024

/** Writes `<file>.br` and `<file>.gz` beside each file that is smaller for it. */
export async function compressFolder(folder: string): Promise<void> {
  for await (const name of glob('**/*.{html,js,css,svg}', { cwd: folder })) {
    const path = join(folder, name)
    const bytes = await readFile(path)
    if (bytes.length < COMPRESSED_BYTES_MIN) continue
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    await writeFile(`${path}.br`, await brotli(bytes, { params }))
    await writeFile(`${path}.gz`, await gzipped(bytes, { level: constants.Z_BEST_COMPRESSION }))
  }
}
