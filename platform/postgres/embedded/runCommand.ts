import { spawn } from 'node:child_process'
import { sendSignal } from './sendSignal.ts'

export type CommandOptions = {
  readonly uid?: number
  readonly gid?: number
  readonly env?: Record<string, string>
  readonly signal?: AbortSignal | undefined
  /** Called once the process is running. */
  readonly onSpawn?: (() => void) | undefined
}

export type CommandResult = { readonly ok: boolean; readonly output: string }

const outputCharsMax = 4_194_304

/** Runs a short command. If it cannot be started, it counts as failed, with the reason as its output. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const { signal, onSpawn, ...rest } = options
  signal?.throwIfAborted()
  const { promise, resolve } = Promise.withResolvers<CommandResult>()
  // Its own process group: Ctrl-C must not reach it, and an abort also ends its children.
  const child = spawn(command, args, { ...rest, cwd: '/', detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-outputCharsMax)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const abort = () => {
    if (child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL')
  }
  signal?.addEventListener('abort', abort, { once: true })
  if (onSpawn) child.once('spawn', onSpawn)
  child.once('error', (error) => resolve({ ok: false, output: error.message }))
  child.once('close', (code, killedBy) => {
    resolve({ ok: code === 0, output: killedBy === null ? output : `${output}\nended by ${killedBy}` })
  })
  return promise.finally(() => {
    signal?.removeEventListener('abort', abort)
    signal?.throwIfAborted()
  })
}

export function lastLine(output: string): string {
  return output.trimEnd().split('\n').at(-1)?.trim() || 'it printed nothing'
}
