import { setTimeout as wait } from 'node:timers/promises'
import type { Fleet } from './fleet.ts'
import { caughtUp } from './fleetBooks.ts'
import type { Load, SoakCall } from './steadyLoad.ts'

export type RateStep = {
  readonly rate: number
  readonly calls: number
  readonly failed: number
  readonly p95Ms: number
  /** Whether the read models had caught up within the limit. */
  readonly modelsFollow: boolean
  readonly holds: boolean
}

export const RATE_WANTED = 300
/** A stack under kills needs spare capacity to catch up. */
const SHARE_OF_HIGHEST = 0.7
const STEPS = [50, 100, 150, 200, 250, RATE_WANTED]
const STEP_MS = 10_000
/** A step that fails is repeated, in case other load on the machine disturbed it. */
const TRIES_MAX = 2
/** Programs that have just started are slow. */
const WARM_UP_MS = 15_000
const P95_MS_MAX = 1_000
const FOLLOW_MS_MAX = 5_000

/** Raises the load step by step until the stack falls behind, without kills. */
export async function findRate(fleet: Fleet, load: Load, tell: (line: string) => void) {
  load.rate = STEPS[0] ?? 1
  await wait(WARM_UP_MS)
  const steps: RateStep[] = []
  for (const rate of STEPS) {
    for (let tries = 0; tries < TRIES_MAX && !steps.some((step) => step.rate === rate && step.holds); tries++) {
      const step = await tryRate(fleet, load, rate)
      steps.push(step)
      tell(
        `${rate} calls a second: ${step.failed} of ${step.calls} failed, p95 ${step.p95Ms} ms, ` +
          `the read models ${step.modelsFollow ? 'follow' : 'fall behind'}`,
      )
    }
    if (!steps.at(-1)?.holds) break
  }
  const highest = Math.max(0, ...steps.filter(({ holds }) => holds).map(({ rate }) => rate))
  if (highest === 0) throw new Error(`the stack does not even hold ${STEPS[0]} calls a second on this machine`)
  const rate = highest >= RATE_WANTED ? RATE_WANTED : Math.floor(highest * SHARE_OF_HIGHEST)
  return { steps, highest, rate }
}

async function tryRate({ engines }: Fleet, load: Load, rate: number): Promise<RateStep> {
  load.rate = rate
  const from = Date.now()
  const unsentBefore = load.unsent
  await wait(STEP_MS)
  const to = Date.now()
  const modelsFollow = await caughtUp(engines, FOLLOW_MS_MAX)
  const calls = load.calls.filter(({ sentAt }) => sentAt >= from && sentAt < to)
  const failed = calls.filter(({ whole }) => !whole).length + load.unsent - unsentBefore
  const p95Ms = percentile(calls, 0.95)
  // Calls that have not ended yet are not included.
  const isComplete = calls.length >= 0.95 * ((to - from) / 1000) * rate
  const holds = failed === 0 && isComplete && p95Ms <= P95_MS_MAX && modelsFollow
  return { rate, calls: calls.length, failed, p95Ms, modelsFollow, holds }
}

export function percentile(calls: readonly SoakCall[], share: number): number {
  const times = calls.map(({ sentAt, endedAt }) => endedAt - sentAt).toSorted((a, b) => a - b)
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
}
