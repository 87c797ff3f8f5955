import { type ChildProcess, spawn } from 'node:child_process'
import { systemClock } from '../../platform/clock/clock.ts'
import { settlesWithin } from '../../platform/clock/within.ts'

export type Runner = { env: Record<string, string>; uid: number | undefined; gid: number | undefined }
type Where = Runner & { cwd: string }
type Limited = Where & { limitMs: number }

export type Finished = { exitCode: number | null; stdout: string; output: string }
export type Started = {
  child: ChildProcess
  pid: number
  output: () => string
  exited: Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>
}

const groups = new Set<number>()

const killGroup = (pid: number) => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is gone already.
  }
}

// Each command has a process group of its own, which Ctrl-C does not reach.
process.on('exit', () => {
  for (const pid of groups) killGroup(pid)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

export function start(command: string, args: string[], { cwd, env, uid, gid }: Where): Started {
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const exited = new Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('error', (error) => {
      output += `${command}: ${error.message}\n`
      resolve({ exitCode: null, signal: null })
    })
    child.on('exit', (exitCode, signal) => {
      groups.delete(child.pid ?? 0)
      resolve({ exitCode, signal })
    })
  })
  if (child.pid !== undefined) groups.add(child.pid)
  return { child, pid: child.pid ?? 0, output: () => output, exited }
}

export const stopGroup = ({ pid }: Started) => {
  if (pid > 0) killGroup(pid)
}

export async function run(command: string, args: string[], { limitMs, ...where }: Limited): Promise<Finished> {
  const started = start(command, args, where)
  let stdout = ''
  started.child.stdout?.on('data', (text) => (stdout += text))
  const closed = new Promise<number | null>((resolve) => {
    started.child.on('close', resolve)
    started.child.on('error', () => resolve(null))
  })
  if (!(await settlesWithin(closed, limitMs, systemClock))) {
    stopGroup(started)
    return { exitCode: null, stdout, output: `${started.output()}\n${command} took over ${limitMs / 1000} s\n` }
  }
  return { exitCode: await closed, stdout, output: started.output() }
}
