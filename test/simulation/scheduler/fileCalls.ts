import files from 'node:fs'
import filesPromises from 'node:fs/promises'
import { currentRun } from './currentRun.ts'
import { refuse } from './failures.ts'
import { SimulatedFiles } from './files.ts'
import { replace } from './replace.ts'

type Call = (...values: unknown[]) => unknown

/**
 * Files of the repository are read for real, and at once: modules keep some of them, so that only the first run reads
 * them, and a process that is killed meanwhile must not keep them from others.
 */
const READS: Readonly<Record<string, Call>> = {
  readFile: files.readFileSync as Call,
  readdir: files.readdirSync as Call,
  stat: files.statSync as Call,
  lstat: files.lstatSync as Call,
  access: files.accessSync as Call,
}

/** During a run, files below the data folder are in memory; of others only reads are allowed. */
export function installFiles(): void {
  for (const [name, real] of functionsOf(filesPromises)) {
    replace(filesPromises, { [name]: (...values: unknown[]) => promisedCall(name, real, values) })
  }
  for (const [name, real] of functionsOf(files)) {
    const isSync = name.endsWith('Sync')
    const call = (...values: unknown[]) => {
      const isRefused = currentRun() && (!isSync || SimulatedFiles.covers(values[0]))
      return isRefused ? refuse(`fs.${name} of ${values[0]}`) : real(...values)
    }
    replace(files, { [name]: Object.assign(call, real) })
  }
}

function functionsOf(module: object): [string, Call][] {
  return Object.entries(module).filter(([name, value]) => typeof value === 'function' && /^[a-z]/.test(name))
}

function promisedCall(name: string, real: Call, values: readonly unknown[]): unknown {
  const run = currentRun()
  if (run === null) return real(...values)
  if (SimulatedFiles.covers(values[0])) {
    return run.files ? run.files.call(name, values) : refuse(`the file ${values[0]}`)
  }
  const read = READS[name]
  if (!read) refuse(`fs.promises.${name} of ${values[0]}`)
  return (async () => read(...values))()
}
