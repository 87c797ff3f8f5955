import type { Pace } from '../benchCommand.ts'
import { atMost, type Figure, pairedFigure } from '../figure.ts'
import { startHelper } from './benchProcess.ts'
import { fullLoad, type Round, requireCharges, withContestants } from './contestants.ts'
import { eachRound } from './eachRound.ts'

const CONNECTIONS = 32
const RATIO_TO_PROXY_MIN = 0.45
const RATIO_TO_PORTKEY_MIN = 6
const CPU_RATIO_TO_PROXY_MAX = 1.8
/** Before the first round: an engine that is still compiling is not the one that will run all day. */
const FIRST_WARM_UP_MS = 8_000
const WARM_UP_MS = 500
const MEASURE_MS = 2_000
/** Many short ones in turn: a neighbour on the host that takes a second of CPU takes it from all. */
const ROUNDS = 9

/** Calls per second and CPU time per call, with an upstream that answers at once. */
export function benchThroughput({ isShort }: Pace): Promise<Figure[]> {
  return withContestants(['chatUpstream.ts'], async ({ folder, proxy, tollgate, portkey }) => {
    const generator = await startHelper(folder, 'loadGenerator.ts')
    const contestants = [proxy, tollgate, portkey]
    const rounds = new Map(contestants.map((contestant) => [contestant, [] as Round[]]))
    let charged = 0
    const measure = async (warmUpMs: number, keep: boolean) => {
      for (const contestant of contestants) {
        const round = await fullLoad(generator, contestant, {
          connections: CONNECTIONS,
          warmUpMs,
          measureMs: MEASURE_MS,
        })
        if (keep) rounds.get(contestant)?.push(round)
        if (contestant === tollgate) charged += round.calls
      }
    }
    await measure(isShort ? WARM_UP_MS : FIRST_WARM_UP_MS, false)
    await eachRound(isShort ? 3 : ROUNDS, () => measure(WARM_UP_MS, true))
    await requireCharges(tollgate, charged)
    const of = (contestant: typeof proxy, figure: keyof Round) =>
      (rounds.get(contestant) ?? []).map((round) => round[figure])
    const compared = (what: string, unit: string, figure: keyof Round, other: typeof proxy, ratioMin?: number) =>
      pairedFigure(`${what}, to ${other.name}`, unit, of(tollgate, figure), of(other, figure), ratioMin)
    const calls = `chat calls, ${CONNECTIONS} connections`
    const cpu = `gateway's CPU time a call, ${CONNECTIONS} connections`
    return [
      compared(calls, 'calls/s', 'callsPerSecond', proxy, RATIO_TO_PROXY_MIN),
      compared(calls, 'calls/s', 'callsPerSecond', portkey, RATIO_TO_PORTKEY_MIN),
      atMost(compared(cpu, 'µs', 'cpuMicrosPerCall', proxy), CPU_RATIO_TO_PROXY_MAX),
      compared(cpu, 'µs', 'cpuMicrosPerCall', portkey),
    ]
  })
}
