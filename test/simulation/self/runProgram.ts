import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const PROGRAM = join(import.meta.dirname, 'run.ts')

/** The lines that a program of this folder prints. It has a process of its own, whose globals it replaces. */
export async function runProgram(name: string, ...args: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, name, ...args])
  return stdout.trim().split('\n')
}
