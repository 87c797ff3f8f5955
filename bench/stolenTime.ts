import { readFileSync } from 'node:fs'

/** CPU time of the whole machine since it booted, in ticks of the kernel. */
export type CpuTicks = {
  readonly all: number
  /** Time that the hypervisor gave to others while a process of this machine wanted to run. */
  readonly stolen: number
}

/** Above this share, latencies and rates say more about the host's other guests than about what was measured. */
const STOLEN_SHARE_TOLERATED = 0.03
/** user, nice, system, idle, iowait, irq, softirq, steal. The two columns after them are already counted in user and nice. */
const COLUMNS = 8

/** null without /proc/stat, for example on macOS. */
export function readCpuTicks(): CpuTicks | null {
  try {
    return parseCpuTicks(readFileSync('/proc/stat', 'utf8'))
  } catch {
    return null
  }
}

/** The sum of all CPUs, which is the first line of /proc/stat; null if the kernel does not count stolen time. */
export function parseCpuTicks(text: string): CpuTicks | null {
  const [name, ...columns] = text.slice(0, text.indexOf('\n')).split(/ +/)
  const ticks = columns.slice(0, COLUMNS).map(Number)
  if (name !== 'cpu' || ticks.length < COLUMNS || !ticks.every(Number.isSafeInteger)) return null
  return { all: ticks.reduce((sum, column) => sum + column, 0), stolen: ticks[COLUMNS - 1] ?? 0 }
}

/** The fraction of CPU time between two moments that was stolen; null if unknown. */
export function stolenShare(begin: CpuTicks | null, end: CpuTicks | null): number | null {
  if (begin === null || end === null) return null
  const all = end.all - begin.all
  const stolen = end.stolen - begin.stolen
  // A sandbox may always show zeros, and a machine that is moved to another host may count backwards.
  if (all <= 0 || stolen < 0 || stolen > all) return null
  return Number((stolen / all).toFixed(4))
}

/** The share since `begin`. */
export function stolenSince(begin: CpuTicks | null): number | null {
  return stolenShare(begin, readCpuTicks())
}

/** One sentence if so much was stolen that the figures of `what` are unreliable, otherwise null. */
export function stolenWarning(what: string, share: number | null): string | null {
  if (share === null || share <= STOLEN_SHARE_TOLERATED) return null
  return `${what}: the host took away ${Math.round(share * 100)} % of the CPU time, so these figures are unreliable.`
}

export function warnOfStolen(what: string, share: number | null): void {
  const warning = stolenWarning(what, share)
  if (warning !== null) process.stderr.write(`${warning}\n`)
}
