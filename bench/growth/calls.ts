import { setTimeout as delay } from 'node:timers/promises'
import type { BenchFolder } from '../feed/benchFolder.ts'
import { percentile } from '../feed/lagFigures.ts'
import { answerTo, startHelper } from '../gateway/benchProcess.ts'
import type { Load, LoadResult } from '../processes/loadGenerator.ts'
import type { SteadyLoad, SteadyResult } from '../processes/steadyLoad.ts'
import { alternating, type Growth } from './rounds.ts'
import type { Stack } from './stacks.ts'

const STEADY = { callsPerSecond: 100, warmUpMs: 300, measureMs: 1_500 }
const STEADY_ROUNDS = 7
const FULL = { connections: 32, warmUpMs: 300, measureMs: 1_200 }
const FULL_ROUNDS = 7
/** One installation must not catch up while another is being measured. */
const SETTLE_MS = 700

/** The latency of a chat call at a steady rate, and the maximum calls per second. */
export async function measureCalls(folder: BenchFolder, stacks: readonly Stack[]): Promise<Growth[]> {
  const steady = await startHelper(folder, 'steadyLoad.ts')
  const full = await startHelper(folder, 'loadGenerator.ts')
  return [
    ...(await alternating(stacks, {
      ...{ part: 'calls', name: `a chat call, p50 at ${STEADY.callsPerSecond} calls/s`, unit: 'ms' },
      ...{ rounds: STEADY_ROUNDS, warmUpRounds: 2 },
      measure: async ({ chat }) => {
        const load: SteadyLoad = { ...chat, ...STEADY }
        const { latenciesMs, failures } = await answerTo<SteadyResult>(steady, load)
        if (failures > 0) throw new Error(`${failures} calls failed`)
        return percentile(latenciesMs, 50)
      },
    })),
    ...(await alternating(stacks, {
      ...{ part: 'calls', name: `chat calls, ${FULL.connections} connections`, unit: 'calls/s', isRate: true },
      ...{ rounds: FULL_ROUNDS, warmUpRounds: 2 },
      measure: async ({ chat }) => {
        const load: Load = { ...chat, ...FULL }
        const { calls, seconds, failures } = await answerTo<LoadResult>(full, load)
        if (failures > 0) throw new Error(`${failures} calls failed`)
        await delay(SETTLE_MS)
        return calls / seconds
      },
    })),
  ]
}
