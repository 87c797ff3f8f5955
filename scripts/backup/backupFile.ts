import { open, rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { partialPathOf, removeAbandonedPartials, unwritable } from '../../platform/files/atomicFile.ts'

const FILE_ERROR = /^E(ACCES|DQUOT|EXIST|FBIG|IO|ISDIR|NOENT|NOSPC|NOTDIR|NOTEMPTY|PERM|ROFS)$/

/**
 * Writes the file atomically: to a partial file first, which is renamed once it is on disk. Only the owner may read it,
 * because it contains all data of the installation. Leftover partial files of killed backups are removed.
 */
export async function writeAtomically<Result>(file: string, write: (to: Writable) => Promise<Result>): Promise<Result> {
  const partial = partialPathOf(file)
  await removeAbandonedPartials(file)
  try {
    const handle = await open(partial, 'w', 0o600)
    const result = await write(handle.createWriteStream({ flush: true }))
    await rename(partial, file)
    return result
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {})
    const { code = '' } = error as NodeJS.ErrnoException
    throw FILE_ERROR.test(code) ? unwritable(file, error) : error
  }
}
