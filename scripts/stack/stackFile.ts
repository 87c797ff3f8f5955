import { renameSync, writeFileSync } from 'node:fs'
import type { RunningProcess } from './supervisor.ts'

/** Writes the list of running processes for operators, atomically. */
export function writeStackFile(file: string, processes: readonly RunningProcess[]): void {
  const partial = `${file}.partial`
  writeFileSync(partial, `${JSON.stringify({ supervisor: process.pid, processes }, null, 2)}\n`, { mode: 0o600 })
  renameSync(partial, file)
}
