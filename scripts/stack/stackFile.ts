import { renameSync, writeFileSync } from 'node:fs'
import { unwritable } from '../../platform/files/atomicFile.ts'
import type { RunningProcess } from './supervisor.ts'

/**
 * Writes the list of running processes for operators, atomically. A full disk must not end the supervision: the file then
 * stays as it was, and the next change writes it.
 */
export function writeStackFile(
  file: string,
  processes: readonly RunningProcess[],
  report: (line: string) => void,
): void {
  const partial = `${file}.partial`
  try {
    writeFileSync(partial, `${JSON.stringify({ supervisor: process.pid, processes }, null, 2)}\n`, { mode: 0o600 })
    renameSync(partial, file)
  } catch (error) {
    report(unwritable(file, error).message)
  }
}
