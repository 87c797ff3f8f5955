import type { Pace } from '../benchCommand.ts'
import { percentile } from '../feed/lagFigures.ts'
import { type Figure, plainFigure } from '../figure.ts'
import type { Call } from '../processes/chatRequest.ts'
import type { SteadyLoad, SteadyResult } from '../processes/steadyLoad.ts'
import { answerTo, startHelper } from './benchProcess.ts'
import { withContestants } from './contestants.ts'
import { eachRound } from './eachRound.ts'

const UPSTREAM_MS = 50
const CALLS_PER_SECOND = 200
const WARM_UP_MS = 500
const MEASURE_MS = 3_500
/** The first of them is a warm-up and not counted. */
const ROUNDS = 4

/** What each adds to calls of a provider that takes 50 ms, at a rate that leaves the machine headroom. */
export function benchLatency({ isShort }: Pace): Promise<Figure[]> {
  return withContestants(['chatUpstream.ts', String(UPSTREAM_MS)], async ({ folder, direct, ...contest }) => {
    const generator = await startHelper(folder, 'steadyLoad.ts')
    const { tollgate, proxy, portkey } = contest
    const measured = [{ name: 'direct', call: direct }, tollgate, proxy, portkey]
    const latencies = new Map(measured.map(({ name }) => [name, [] as number[]]))
    const measure = async (name: string, call: Call) => {
      const load: SteadyLoad = {
        ...call,
        callsPerSecond: CALLS_PER_SECOND,
        warmUpMs: WARM_UP_MS,
        measureMs: MEASURE_MS,
      }
      const { latenciesMs, failures } = await answerTo<SteadyResult>(generator, load)
      if (failures > 0) throw new Error(`${failures} of the calls, ${name}, failed`)
      return latenciesMs
    }
    await eachRound(isShort ? 2 : ROUNDS, async (round) => {
      for (const { name, call } of measured) {
        const times = await measure(name, call)
        if (round > 0) latencies.get(name)?.push(...times)
      }
    })
    const at = (name: string, rank: number) => percentile(latencies.get(name) ?? [], rank)
    const rate = `${CALLS_PER_SECOND} calls/s, ${UPSTREAM_MS} ms upstream`
    return [tollgate, proxy, portkey].flatMap(({ name }) =>
      [50, 99].map((rank) => {
        const added = at(name, rank) - at('direct', rank)
        return plainFigure(`latency added by ${name}, p${rank}, ${rate}`, 'ms', added)
      }),
    )
  })
}
