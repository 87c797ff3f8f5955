import { readdir, readFile } from 'node:fs/promises'
import { systemClock } from '../../platform/clock/clock.ts'
import { freePorts } from '../freePorts.ts'
import { startInstallation } from './firstStart.ts'

const CURRENT_MS_MAX = 600_000
const POLL_MS = 200

export type CaughtUp = {
  readonly readyMs: number
  /** From the start until the history is current too. */
  readonly currentMs: number
  /** The peak memory of the services' process. */
  readonly peakMiB: number
}

/** Runs `npm start` on the data until all read models are current. */
export async function measureCatchUp(checkout: string, dataDir: string): Promise<CaughtUp> {
  const [backendPort] = await freePorts(1)
  const startedAtMs = systemClock.monotonicMs()
  const { readyMs, pid, stop } = await startInstallation(checkout, {
    DATA_DIR: dataDir,
    BACKEND_PORT: String(backendPort),
  })
  try {
    while (!(await isCurrent(`http://127.0.0.1:${backendPort}/health`))) {
      if (systemClock.monotonicMs() - startedAtMs > CURRENT_MS_MAX) throw new Error('the read models are not current')
      await systemClock.delay(POLL_MS)
    }
    const currentMs = systemClock.monotonicMs() - startedAtMs
    return { readyMs, currentMs, peakMiB: await peakMiB(pid) }
  } finally {
    await stop()
  }
}

async function isCurrent(health: string): Promise<boolean> {
  const answer = await fetch(health)
  const { components } = (await answer.json()) as { components: { read_models: { behind: string[] } } }
  return components.read_models.behind.length === 0
}

/** The largest peak of the Node processes in the process group led by `npm start`. Linux only. */
async function peakMiB(group: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const peaks = await Promise.all(
    pids.map(async (pid) => {
      const [stat, status] = await Promise.all([textOf(`/proc/${pid}/stat`), textOf(`/proc/${pid}/status`)])
      // After the name, which may contain spaces: state, parent, group.
      const groupOfProcess = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
      const isNode = /^Name:\t(node|MainThread)$/m.test(status)
      const kib = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
      return groupOfProcess === group && isNode ? kib / 1024 : 0
    }),
  )
  return Math.max(...peaks)
}

/** Empty if the process has ended meanwhile. */
function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}
