import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Linux reports process times in hundredths of a second, whatever unit the kernel uses. */
const TICKS_PER_SECOND = 100
/** The position of user and system time after the program's name, which may itself contain spaces and brackets. */
const USER_TIME = 11
const SYSTEM_TIME = 12

/** The CPU time of a process with all its threads; null if it has exited or the system does not report it. */
export function cpuMsOf(pid: number): number | null {
  if (process.platform !== 'linux') return null
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])
    return Number.isNaN(ticks) ? null : (ticks * 1_000) / TICKS_PER_SECOND
  } catch {
    return null
  }
}

/** The resident memory of a process; null if it has exited or the system does not report it. */
export async function residentBytesOf(pid: number): Promise<number | null> {
  if (process.platform === 'linux') return fromProc(pid)
  if (process.platform === 'win32') return null
  const kilobytes = await run('ps', ['-o', 'rss=', '-p', String(pid)]).then(
    ({ stdout }) => Number.parseInt(stdout, 10),
    () => Number.NaN,
  )
  return Number.isNaN(kilobytes) ? null : kilobytes * 1024
}

/** Synchronous, because the kernel answers from memory: the thread pool would take far longer. */
function fromProc(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) * 1024
  } catch {
    return null
  }
}
