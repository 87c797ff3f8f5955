import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What a build of the console is made from: its sources, and the versions of its packages. */
export type ConsoleSources = { readonly folder: string; readonly lockFile: string }

const NOT_BUILT = /\.(test\.tsx?|md)$/

/** Two installations with the same hash have the same console. Tests and documents take no part in it. */
export async function contentHash({ folder, lockFile }: ConsoleSources): Promise<string> {
  const names: string[] = []
  for await (const entry of glob('**/*.*', { cwd: folder, withFileTypes: true })) {
    if (entry.isFile()) names.push(join(entry.parentPath, entry.name).slice(folder.length + 1))
  }
  const hash = createHash('sha256').update(await readFile(lockFile))
  for (const name of names.filter((one) => !NOT_BUILT.test(one)).toSorted()) {
    const bytes = await readFile(join(folder, name))
    hash.update(`\n${name} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex').slice(0, 32)
}
