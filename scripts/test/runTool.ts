import { spawn } from 'node:child_process'
import path from 'node:path'

export type Output = 'inherit' | 'ignore'

const tools = path.resolve(import.meta.dirname, '../../node_modules/.bin')

type Options = { cwd: string; output: Output; env?: Record<string, string> }

/** Runs a command of node_modules and returns its exit code; one that a signal ended counts as 1. SIGTERM ends it, too. */
export function runTool(name: string, args: string[], { cwd, output, env }: Options): Promise<number> {
  const searchPath = [tools, process.env.PATH].join(path.delimiter)
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(tools, name), args, {
      cwd,
      stdio: ['ignore', output, output],
      env: { ...process.env, ...env, PATH: searchPath },
    })
    const stop = () => void child.kill('SIGTERM')
    process.on('SIGTERM', stop)
    child.on('error', reject)
    child.on('close', (code) => {
      process.off('SIGTERM', stop)
      resolve(code ?? 1)
    })
  })
}
