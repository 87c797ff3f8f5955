import type { Pace } from '../benchCommand.ts'
import { withBenchFolder } from '../feed/benchFolder.ts'
import { percentile } from '../feed/lagFigures.ts'
import { atMost, type Figure, median, ratioFigure } from '../figure.ts'
import { freePorts } from '../freePorts.ts'
import type { SteadyLoad, SteadyResult } from '../processes/steadyLoad.ts'
import { startAllInOne } from './allInOne.ts'
import { answerTo, startHelper } from './benchProcess.ts'
import type { ChargingContestant } from './contestant.ts'
import { requireCharges } from './contestants.ts'
import { eachRound } from './eachRound.ts'
import { startPrototype } from './prototype.ts'
import { addSteps, noStepTimes, TIMELINE_STEPS } from './timeline.ts'
import { startTollgate } from './tollgate.ts'

const UPSTREAM_MS = 50
const CALLS_PER_SECOND = 200
/** Enough calls for the engines to have compiled what they run. */
const FIRST_WARM_UP = { callsPerSecond: 600, warmUpMs: 0, measureMs: 5_000 }
const ROUND = { callsPerSecond: CALLS_PER_SECOND, warmUpMs: 300, measureMs: 5_000 }
/**
 * In turn, so that other activity on the machine affects all equally. Each round is long enough for a young-generation
 * collection: in shorter ones, p99 depends on whether there was one.
 */
const ROUNDS = 7
const ROUNDS_SHORT = 3
/** Separate rounds, because every such collection copies the timelines kept meanwhile. */
const TIMELINE_ROUNDS = 2
const RANKS = [50, 99] as const
const RATIO_MAX = { 50: 1.3, 99: 2 }

/**
 * What the gateway alone and `npm start` add to a call of a provider that takes 50 ms, compared with the prototype, and
 * how long each step of a call takes.
 */
export function benchBesidePrototype({ isShort }: Pace): Promise<Figure[]> {
  return withBenchFolder(async (folder) => {
    const [upstreamPort = 0] = await freePorts(1)
    const upstream = `http://127.0.0.1:${upstreamPort}`
    await startHelper(folder, 'chatUpstream.ts', String(upstreamPort), String(UPSTREAM_MS))
    const generator = await startHelper(folder, 'steadyLoad.ts')
    const prototype = await startPrototype(folder, upstreamPort)
    const alone = await startTollgate(folder, upstream, { name: 'the gateway alone', withTimelines: true })
    const allInOne = await startAllInOne(folder, upstream)
    const contestants = [prototype, alone, allInOne]
    const direct = { url: `${upstream}/v1/chat/completions`, apiKey: prototype.call.apiKey }

    const answered = new Map<string, number>()
    const run = async (load: SteadyLoad): Promise<SteadyResult> => {
      const result = await answerTo<SteadyResult>(generator, load)
      const { failures, firstFailure } = result
      if (failures > 0) throw new Error(`${failures} of the calls to ${load.url} failed: ${firstFailure ?? 'cut off'}`)
      answered.set(load.url, (answered.get(load.url) ?? 0) + result.callsInAll)
      return result
    }
    for (const { call } of contestants) await run({ ...call, ...FIRST_WARM_UP })
    /** The added time in each round, by contestant and rank. */
    const added = new Map(contestants.map((contestant) => [contestant, { 50: [] as number[], 99: [] as number[] }]))
    await eachRound(isShort ? ROUNDS_SHORT : ROUNDS, async (round) => {
      const bare = await run({ ...direct, ...ROUND })
      // Each goes first in some rounds, so that none benefits from the order.
      for (const contestant of rotated(contestants, round)) {
        const { latenciesMs } = await run({ ...contestant.call, ...ROUND })
        for (const rank of RANKS) {
          added.get(contestant)?.[rank].push(percentile(latenciesMs, rank) - percentile(bare.latenciesMs, rank))
        }
      }
    })
    const steps = new Map(contestants.map((contestant) => [contestant, noStepTimes()]))
    for (const contestant of contestants) await contestant.recordTimelines()
    for (let round = 0; round < TIMELINE_ROUNDS; round++) {
      for (const contestant of rotated(contestants, round)) {
        const { calls } = await run({ ...contestant.call, ...ROUND })
        addSteps(steps.get(contestant) ?? noStepTimes(), calls, await contestant.timelines())
      }
    }
    for (const contestant of contestants) await requireCharges(contestant, answered.get(contestant.call.url) ?? 0)
    const addedBy = (contestant: ChargingContestant, rank: 50 | 99) => median(added.get(contestant)?.[rank] ?? [])
    const rate = `${CALLS_PER_SECOND} calls/s, ${UPSTREAM_MS} ms upstream`
    const bounds = [alone, allInOne].flatMap((contestant) =>
      RANKS.map((rank) => {
        const name = `latency added by ${contestant.name}, p${rank}, ${rate}, beside the prototype`
        const figure = ratioFigure(name, 'ms', addedBy(contestant, rank), addedBy(prototype, rank))
        return atMost(figure, RATIO_MAX[rank])
      }),
    )
    const timeline = [alone, allInOne].flatMap((contestant) =>
      TIMELINE_STEPS.flatMap((step) =>
        RANKS.map((rank) => {
          const at = (one: ChargingContestant) => percentile(steps.get(one)?.[step] ?? [], rank)
          return ratioFigure(`${contestant.name}, until ${step}, p${rank}`, 'ms', at(contestant), at(prototype))
        }),
      ),
    )
    return [...bounds, ...timeline]
  })
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const first = by % items.length
  return [...items.slice(first), ...items.slice(0, first)]
}
