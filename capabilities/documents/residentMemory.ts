import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The resident memory of a process; null if it has exited or the system does not tell. */
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
