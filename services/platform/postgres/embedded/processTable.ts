import { readdirSync, readFileSync } from 'node:fs'
import { runCommand } from './runCommand.ts'

export type ProcessEntry = { readonly pid: number; readonly command: string }

/** Every process that runs now. Zombies are left out: they hold nothing, and where no init reaps they stay for ever. */
export async function listProcesses(): Promise<ProcessEntry[]> {
  if (process.platform === 'linux') {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return pids.map((pid) => ({ pid: Number(pid), command: commandFromProc(pid) })).filter(({ command }) => command)
  }
  const { output } = await runCommand('ps', ['-axww', '-o', 'pid=,command='])
  return output.split('\n').flatMap((line) => {
    const match = /^\s*(\d+) (.*)$/.exec(line)
    return match ? [{ pid: Number(match[1]), command: `${match[2]} ` }] : []
  })
}

/** The command line of a process, its words parted by spaces; empty when it is gone. */
export async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return commandFromProc(String(pid))
  const { output } = await runCommand('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  return `${output.trim()} `
}

function commandFromProc(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
