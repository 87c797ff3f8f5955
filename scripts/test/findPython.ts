import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type Python = { readonly command: string; readonly version: string }

/** A Python 3 with pip whose minor version is in this range; undefined if there is none. */
export async function findPython(minorMin: number, minorMax = Number.POSITIVE_INFINITY): Promise<Python | undefined> {
  const managed = globSync(path.join(homedir(), '.pyenv/versions/3.*/bin/python3')).toSorted().toReversed()
  const named = [14, 13, 12, 11].map((minor) => `python3.${minor}`)
  for (const command of ['python3', ...named, ...managed]) {
    const version = await answers(command, ['-c', 'import pip, sys; print("%d.%d" % sys.version_info[:2])'])
    const [major = 0, minor = 0] = (version ?? '').split('.').map(Number)
    if (version && major === 3 && minor >= minorMin && minor <= minorMax) return { command, version: version.trim() }
  }
  return undefined
}

/** What a program prints; undefined if there is no such program or it fails. */
export const answers = (command: string, args: string[]): Promise<string | undefined> =>
  run(command, args).then(
    ({ stdout }) => stdout,
    () => undefined,
  )
