import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import path from 'node:path'

/** if failed: shown at the end, and only if it failed, because another tool writes meanwhile. */
export type Output = 'inherit' | 'ignore' | 'if failed'

const tools = path.resolve(import.meta.dirname, '../../node_modules/.bin')

type Options = {
  cwd: string
  output: Output
  env?: Record<string, string>
  /** Gives way to what else runs. */
  low?: boolean
}

/** Runs a command of node_modules and returns its exit code; one that a signal ended counts as 1. SIGTERM ends it, too. */
export function runTool(name: string, args: string[], { cwd, output, env, low }: Options): Promise<number> {
  const searchPath = [tools, process.env.PATH].join(path.delimiter)
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(tools, name), args, {
      cwd,
      stdio: output === 'if failed' ? ['ignore', 'pipe', 'pipe'] : ['ignore', output, output],
      env: { ...process.env, ...env, PATH: searchPath },
    })
    if (low && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    const written: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => written.push(chunk))
    const stop = () => void child.kill('SIGTERM')
    process.on('SIGTERM', stop)
    child.on('error', reject)
    child.on('close', (code) => {
      process.off('SIGTERM', stop)
      if (code !== 0) process.stdout.write(Buffer.concat(written))
      resolve(code ?? 1)
    })
  })
}
