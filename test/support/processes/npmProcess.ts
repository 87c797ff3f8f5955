import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { listProcesses, type ProcessEntry } from '../../../platform/postgres/embedded/processTable.ts'
import { runCommand } from '../../../platform/postgres/embedded/runCommand.ts'
import { sendSignal } from '../../../platform/postgres/embedded/sendSignal.ts'
import { PATIENCE } from '../time/patience.ts'
import { onAbruptExit } from './exitSteps.ts'

export type NpmExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

export type NpmProcess = {
  /** The pid of npm, which is also the id of the process group that npm and the program run in. */
  readonly pid: number
  readonly exited: Promise<NpmExit>
  /** null while it runs. */
  readonly exit: NpmExit | null
  /** What the program printed on either stream, without npm's own lines. */
  readonly lines: readonly string[]
  /** The first matching line, past or future. Rejects if the process ends without one, or after msMax times the patience. */
  line(pattern: RegExp, msMax?: number): Promise<string>
  group(): Promise<ProcessEntry[]>
  signalGroup(signal: NodeJS.Signals): void
}

export type NpmOptions = {
  readonly settings: Readonly<Record<string, string>>
  /** Another user to run as; needs root. */
  readonly uid?: number
}

export const repository = join(import.meta.dirname, '..', '..', '..')

const lineMsMax = 120_000
const ofNpm = /^(> |npm (warn|error|notice) |\s*$)/

/** Runs npm with these arguments in this repository. Only the given settings reach it. */
export function startNpm(args: readonly string[], { settings, uid }: NpmOptions): NpmProcess {
  const child = spawn('npm', args, {
    cwd: repository,
    detached: true,
    env: { ...inherited(), npm_config_update_notifier: 'false', npm_config_logs_max: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  const pid = child.pid
  if (pid === undefined) throw new Error('npm cannot be run')
  const callOff = onAbruptExit(() => sendSignal(-pid, 'SIGKILL'))
  const lines: string[] = []
  const changed = new EventTarget()
  let exit: NpmExit | null = null
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      if (ofNpm.test(line)) return
      lines.push(line)
      changed.dispatchEvent(new Event('change'))
    })
  }
  // close and not exit: only then has everything that was printed been read.
  const exited = once(child, 'close').then(([code, signal]): NpmExit => {
    callOff()
    exit = { code, signal }
    changed.dispatchEvent(new Event('change'))
    return exit
  })

  return {
    pid,
    exited,
    get exit() {
      return exit
    },
    lines,
    line: async (pattern, msMax = lineMsMax) => {
      const waitedMsMax = msMax * PATIENCE
      const signal = AbortSignal.timeout(waitedMsMax)
      for (;;) {
        const found = lines.find((line) => pattern.test(line))
        if (found !== undefined) return found
        if (exit) throw new Error(`npm ${args.join(' ')} ended with ${exit.code ?? exit.signal}:\n${lines.join('\n')}`)
        await once(changed, 'change', { signal }).catch(() => {
          throw new Error(`not within ${waitedMsMax} ms: a line ${pattern}, but only\n${lines.join('\n')}`)
        })
      }
    },
    group: () => processesOfGroup(pid),
    signalGroup: (signal) => sendSignal(-pid, signal),
  }
}

function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'NODE_COMPILE_CACHE']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

async function processesOfGroup(group: number): Promise<ProcessEntry[]> {
  const processes = await listProcesses()
  const groups = process.platform === 'linux' ? null : await groupsFromPs()
  return processes.filter(({ pid }) => (groups ? groups.get(pid) : groupFromProc(pid)) === group)
}

// Field 5 of stat, counted behind the name, which may hold spaces.
function groupFromProc(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
  } catch {
    return undefined
  }
}

async function groupsFromPs(): Promise<Map<number, number>> {
  const { output } = await runCommand('ps', ['-ax', '-o', 'pid=,pgid='])
  return new Map(output.split('\n').map((line) => line.trim().split(/\s+/).map(Number) as [number, number]))
}
