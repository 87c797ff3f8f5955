import perfHooks from 'node:perf_hooks'
import { currentProcess, currentRun } from './currentRun.ts'
import { replace } from './replace.ts'

const RealDate = Date
/** Until the first run the time stands still, so that a database that starts meanwhile always starts alike. */
const BOOT_MS = RealDate.UTC(2026, 0, 1)
const NANOSECONDS_PER_MS = 1e6

/** The time of whoever asks: the database while a statement runs, otherwise the process in whose context the code runs. */
function nowMs(): number {
  const run = currentRun()
  if (run === null) return BOOT_MS
  if (run.isDatabase) return run.scheduler.nowMs + run.databaseAheadMs
  return run.scheduler.nowMs + (currentProcess()?.clockAheadMs ?? 0)
}

export const wholeNowMs = (): number => Math.floor(nowMs())

/** The time since the process began, which no jump of its clock moves. */
function monotonicMs(): number {
  const run = currentRun()
  if (run === null) return 0
  return run.scheduler.elapsedMs - (currentProcess()?.bornMs ?? 0)
}

function hrtime(since: readonly [number, number] = [0, 0]): [number, number] {
  const total = Math.round(monotonicMs() * NANOSECONDS_PER_MS) - since[0] * 1e9 - since[1]
  return [Math.floor(total / 1e9), total % 1e9]
}

export function installTime(): void {
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [nowMs()] : values, newTarget),
    apply: () => new RealDate(nowMs()).toString(),
    get: (target, name, receiver) => (name === 'now' ? wholeNowMs : Reflect.get(target, name, receiver)),
  })
  replace(performance, { now: monotonicMs })
  const bigint = () => BigInt(Math.round(monotonicMs() * NANOSECONDS_PER_MS))
  replace(process, { hrtime: Object.assign(hrtime, { bigint }), uptime: () => monotonicMs() / 1_000 })
  replace(perfHooks, { monitorEventLoopDelay: () => STILL })
}

/** The delay of an event loop that no work holds up. */
const STILL = {
  ...{ min: 0, max: 0, mean: 0, stddev: 0, exceeds: 0 },
  percentile: () => 0,
  enable: () => true,
  disable: () => true,
  reset: () => {},
}
