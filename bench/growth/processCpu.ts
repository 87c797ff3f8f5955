import { readdir, readFile } from 'node:fs/promises'

/** The unit in which Linux counts CPU time, on every architecture that Node runs on. */
const TICK_MICROS = 10_000

export type CpuMicros = {
  /** By the name of the thread, such as MainThread, WorkerThread or V8Worker. */
  readonly byThread: Readonly<Record<string, number>>
  readonly postgres: number
}

/** The CPU time so far of the Node processes that descend from one, and of a PostgreSQL server with all its backends. */
export async function cpuMicros(nodePid: number, postmasterPid: number): Promise<CpuMicros> {
  const processes = await allProcesses()
  const server = new Set(descendants(processes, postmasterPid).map(({ pid }) => pid))
  const byThread: Record<string, number> = {}
  for (const { pid } of descendants(processes, nodePid)) {
    if (server.has(pid)) continue
    for (const { name, ticks } of await threadsOf(pid)) byThread[name] = (byThread[name] ?? 0) + ticks * TICK_MICROS
  }
  const ticks = processes.filter(({ pid }) => server.has(pid)).reduce((sum, { all }) => sum + all, 0)
  return { byThread, postgres: ticks * TICK_MICROS }
}

type Stat = { readonly name: string; readonly parent: number; readonly ticks: number; readonly all: number }

/** Parses a line of /proc; `all` includes children that have ended. */
export function parseStat(line: string): Stat {
  const nameEnd = line.lastIndexOf(')')
  // From the third field on: state, parent, …, utime, stime, cutime and cstime as the 14th to 17th.
  const fields = line.slice(nameEnd + 2).split(' ')
  const at = (field: number) => Number(fields[field - 3])
  const ticks = at(14) + at(15)
  return { name: line.slice(line.indexOf('(') + 1, nameEnd), parent: at(4), ticks, all: ticks + at(16) + at(17) }
}

type Process = Stat & { readonly pid: number }

async function allProcesses(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = await Promise.all(
    pids.map(async (pid) => ({ pid: Number(pid), line: await lineOf(`/proc/${pid}/stat`) })),
  )
  return read.flatMap(({ pid, line }) => (line === null ? [] : [{ pid, ...parseStat(line) }]))
}

function descendants(processes: readonly Process[], root: number): Process[] {
  const found = processes.filter(({ pid }) => pid === root)
  for (const { pid } of found) found.push(...processes.filter(({ parent }) => parent === pid))
  return found
}

async function threadsOf(pid: number): Promise<Stat[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lines = await Promise.all(threads.map((thread) => lineOf(`/proc/${pid}/task/${thread}/stat`)))
  return lines.flatMap((line) => (line === null ? [] : [parseStat(line)]))
}

/** null if the process has ended meanwhile. */
function lineOf(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null)
}
