import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

export type Leftover = { pid: number; command: string }

const orEmpty = (read: () => string): string => {
  try {
    return read()
  } catch {
    // The process ended meanwhile.
    return ''
  }
}

// Postgres rewrites the command line of its helpers, so the program and the folder that a process is in count too.
const fromProc = (folder: string): Leftover[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      const command = orEmpty(() => readFileSync(`/proc/${name}/cmdline`, 'utf8')).replaceAll('\0', ' ')
      const places = [
        orEmpty(() => readlinkSync(`/proc/${name}/exe`)),
        orEmpty(() => readlinkSync(`/proc/${name}/cwd`)),
      ]
      return { pid: Number(name), command, text: [command, ...places].join('\n') }
    })
    .filter(({ text }) => text.includes(folder))
    .map(({ pid, command }) => ({ pid, command: command.trim() }))

const fromPs = (folder: string): Leftover[] =>
  execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(folder))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim().replace(/^\d+\s+/, '') }))

export const processesOf = (folder: string): Leftover[] =>
  process.platform === 'linux' ? fromProc(folder) : fromPs(folder)

/** The processes that still run from `folder` after `limitMs`. Resolves at once when none is left. */
export async function leftoversOf(folder: string, limitMs: number): Promise<Leftover[]> {
  for (const endMs = Date.now() + limitMs; ; await wait(100)) {
    const left = processesOf(folder)
    if (left.length === 0 || Date.now() >= endMs) return left
  }
}
