import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export type ScriptRun = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** Runs a script of the repository like npm does, and returns its output. */
export async function runScript(
  script: string,
  args: string[],
  env: Record<string, string>,
  input = '',
): Promise<ScriptRun> {
  const child = spawn(process.execPath, [join('scripts', script), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}
