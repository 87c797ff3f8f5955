import { readFile } from 'node:fs/promises'
import { type Checkpoint, parseCheckpoint } from '../../capabilities/transparency/checkpoint.ts'
import { parseNote } from '../../capabilities/transparency/note.ts'

/**
 * Reads a checkpoint as it was downloaded from /log/checkpoint. Its signatures need no check: the origin is kept only if
 * the backup holds the same checkpoint.
 */
export async function readLastCheckpoint(file: string): Promise<Checkpoint> {
  const note = await readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(code === 'ENOENT' ? `there is no file ${file}` : `${file} cannot be read (${code})`)
  })
  try {
    return parseCheckpoint(parseNote(note).text)
  } catch (error) {
    throw new Error(`${file} is not a checkpoint, as /log/checkpoint answers it: ${(error as Error).message}`)
  }
}
