import { open, rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'

const FILE_TROUBLE = /^E(ACCES|DQUOT|EXIST|FBIG|IO|ISDIR|NOENT|NOSPC|NOTDIR|NOTEMPTY|PERM|ROFS)$/

/**
 * Writes the file whole or not at all: beside it first, and in its place when all of it is on the disk. Only its owner may
 * read it, because it holds all that anybody ever told the installation.
 */
export async function writeWhole<Result>(file: string, write: (to: Writable) => Promise<Result>): Promise<Result> {
  const partial = `${file}.${process.pid}.partial`
  try {
    const handle = await open(partial, 'w', 0o600)
    const result = await write(handle.createWriteStream({ flush: true }))
    await rename(partial, file)
    return result
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {})
    const { code = '' } = error as NodeJS.ErrnoException
    throw FILE_TROUBLE.test(code) ? new Error(`${file} cannot be written (${code})`) : error
  }
}
