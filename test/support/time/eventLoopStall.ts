/** The probe interval. Short, so that two long steps are not measured as one. */
const PROBE_MS = 2

export type Stall = {
  /** How long no timer of this thread could fire. On a busy machine this includes the time of other processes. */
  readonly wallMs: number
  /** The part of it that this thread spent computing, whatever else ran on the machine. */
  readonly cpuMs: number
}

export type StallWatch = {
  /** The stall with the most CPU time since the start or the last `reset`. */
  longest(): Stall
  reset(): void
  stop(): void
}

const NONE: Stall = { wallMs: 0, cpuMs: 0 }

/**
 * Measures the longest time in which the event loop of this thread did not turn, for services that run in the same
 * thread. A bound belongs on `cpuMs`, and into a benchmark or an attack rather than into a test: `wallMs` also counts
 * the time in which the thread was ready, but another process ran.
 */
export function watchStalls(): StallWatch {
  let worst = NONE
  let lastMs = performance.now()
  let lastCpuMs = threadCpuMs()

  const observe = () => {
    const nowMs = performance.now()
    const nowCpuMs = threadCpuMs()
    const stall = { wallMs: nowMs - lastMs - PROBE_MS, cpuMs: nowCpuMs - lastCpuMs }
    if (stall.cpuMs > worst.cpuMs) worst = stall
    lastMs = nowMs
    lastCpuMs = nowCpuMs
  }
  const probe = setInterval(observe, PROBE_MS)
  probe.unref()

  return {
    longest: () => {
      // What has run since the last probe counts too: the caller may ask before the loop has turned.
      observe()
      return worst
    },
    reset: () => {
      observe()
      worst = NONE
    },
    stop: () => clearInterval(probe),
  }
}

/** The longest stall while `work` runs, and what it returned. */
export async function stallDuring<Result>(work: () => Promise<Result>): Promise<{ result: Result; stall: Stall }> {
  const watch = watchStalls()
  try {
    const result = await work()
    return { result, stall: watch.longest() }
  } finally {
    watch.stop()
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
