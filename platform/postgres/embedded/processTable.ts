import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand } from './runCommand.ts'

export type ProcessEntry = { readonly pid: number; readonly command: string }

const execTriesMax = 50

/** Every running process. Zombies are excluded: they hold nothing, and without an init process they stay for ever. */
export async function listProcesses(): Promise<ProcessEntry[]> {
  if (process.platform === 'linux') {
    const pids = readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0)
    const entries = await Promise.all(pids.map(async (pid) => ({ pid, command: await commandOf(pid) })))
    return entries.filter(({ command }) => command !== '')
  }
  const { output } = await runCommand('ps', ['-axww', '-o', 'pid=,command='])
  return output.split('\n').flatMap((line) => {
    const match = /^\s*(\d+) (.*)$/.exec(line)
    return match ? [{ pid: Number(match[1]), command: `${match[2]} ` }] : []
  })
}

/** The command line of a process, with a space after each word; empty if it is gone. */
export async function commandOf(pid: number): Promise<string> {
  if (process.platform !== 'linux') {
    const { output } = await runCommand('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
    return output.trim() && `${output.trim()} `
  }
  for (let tries = 1; tries <= execTriesMax; tries += 1) {
    const command = readProc(pid, 'cmdline')
    if (command !== '' || !hasMemory(pid)) return command.replaceAll('\0', ' ')
    await sleep(1)
  }
  return ''
}

// A process has no command line for a moment during exec. Zombies and kernel threads, which never have one, have no
// memory either: field 23 of stat, counted after the name, which may contain spaces.
function hasMemory(pid: number): boolean {
  const stat = readProc(pid, 'stat')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[20] ?? 0) > 0
}

// Synchronous, because procfs is in memory: the thread pool would cost far more.
function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
