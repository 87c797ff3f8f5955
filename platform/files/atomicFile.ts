import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Where this process writes the file before renaming it. The name shows that it is incomplete. */
export function partialPathOf(file: string): string {
  return `${file}.${process.pid}.partial`
}

/** Removes partial files that killed processes left next to the file. Those of running processes stay. */
export async function removeAbandonedPartials(file: string): Promise<void> {
  const [folder, start] = [dirname(file), `${basename(file)}.`]
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const pid = name.startsWith(start) ? /^(\d+)\.partial$/.exec(name.slice(start.length))?.[1] : undefined
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(folder, name), { force: true })
  }
}

/**
 * Writes the file, readable by its owner only, to a partial file that is on disk before `place` gives it its name. By
 * default it replaces an older file.
 */
export async function writePrivateFile(
  file: string,
  content: unknown,
  place: (partial: string, file: string) => Promise<void> = rename,
): Promise<void> {
  const partial = partialPathOf(file)
  try {
    await writeFile(partial, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true })
    await place(partial, file)
  } catch (error) {
    throw unwritable(file, error)
  } finally {
    await rm(partial, { force: true }).catch(() => {})
  }
  await removeAbandonedPartials(file)
}

/** Errors of a write, unlike those of opening a file, do not name the path. */
export function unwritable(file: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException
  const wayOut = code === 'ENOSPC' || code === 'EDQUOT' ? ': free some space there' : ''
  return new Error(`${file} cannot be written (${code ?? message})${wayOut}`, { cause: error })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
