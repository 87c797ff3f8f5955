import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import type { Pace } from '../benchCommand.ts'
import { startEventStoreServer } from '../eventStoreServer.ts'
import { type BenchFolder, withBenchFolder } from '../feed/benchFolder.ts'
import { percentile } from '../feed/lagFigures.ts'
import { atMost, type Figure, limitFigure, median, pairedFigure } from '../figure.ts'
import { freePorts } from '../freePorts.ts'
import type { CountedLoad, CountedResult } from '../processes/countedLoad.ts'
import type { SteadyLoad, SteadyResult } from '../processes/steadyLoad.ts'
import { benchAppendLatency } from './appendLatency.ts'
import { answerTo, startHelper } from './benchProcess.ts'
import { requireCharges } from './contestants.ts'
import { eachRound } from './eachRound.ts'
import { startTollgate, type Tollgate } from './tollgate.ts'

const CONNECTIONS = 32
/**
 * The same number of calls for both, so that the engine has compiled the same code for the same work. In the same time
 * the faster one would make more calls, each of which would seem to cost less.
 */
const WARM_UP_CALLS = 20_000
const CALLS_PER_ROUND = 5_000
const ROUNDS = 5
const STEADY_WARM_UP_MS = 500
/** After a round, the projector works off its backlog; its CPU time belongs to the calls of the round. */
const SETTLE_MS = 1_500
const CALLS_RATIO_MIN = 0.6
const CPU_RATIO_MAX = 1.4
const UPSTREAM_MS = 50
const STEADY_CALLS_PER_SECOND = 200
const STEADY_MS = 3_500
const ADDED_P50_MS_MAX = 1

type Stores = { readonly folder: BenchFolder; readonly embedded: Tollgate; readonly eventStoreDb: Tollgate }

/** The gateway on a real EventStoreDB compared with the same gateway on the embedded store, in alternating rounds. */
export async function benchOnEventStoreDb(pace: Pace): Promise<Figure[]> {
  return [...(await benchCalls(pace)), ...(await benchLatency(pace)), ...(await benchAppendLatency(pace))]
}

function withBothStores<Result>(upstreamMs: number, work: (stores: Stores) => Promise<Result>): Promise<Result> {
  return withBenchFolder(async (folder) => {
    const [port] = await freePorts(1)
    await startHelper(folder, 'chatUpstream.ts', String(port), String(upstreamMs))
    const upstream = `http://127.0.0.1:${port}`
    const eventStoreUrl = await startEventStoreServer(folder)
    return work({
      folder,
      embedded: await startTollgate(folder, upstream, { name: 'Tollgate on the embedded store' }),
      eventStoreDb: await startTollgate(folder, upstream, { name: 'Tollgate on EventStoreDB', eventStoreUrl }),
    })
  })
}

type Round = { readonly callsPerSecond: number; readonly cpuMicrosPerCall: number }

/** Calls per second, and the CPU time of gateway and projector together. */
function benchCalls({ isShort }: Pace): Promise<Figure[]> {
  return withBothStores(0, async ({ folder, embedded, eventStoreDb }) => {
    const load = await startHelper(folder, 'countedLoad.ts')
    const both = [embedded, eventStoreDb]
    const rounds = new Map(both.map((tollgate) => [tollgate, [] as Round[]]))
    const warmUpCalls = isShort ? CALLS_PER_ROUND : WARM_UP_CALLS
    for (const tollgate of both) await loadRound(load, tollgate, warmUpCalls)
    const count = isShort ? 2 : ROUNDS
    await eachRound(count, async (round) => {
      // Each goes first in every other round, so that neither benefits from the order.
      for (const tollgate of round % 2 === 0 ? both : both.toReversed()) {
        rounds.get(tollgate)?.push(await loadRound(load, tollgate, CALLS_PER_ROUND))
      }
    })
    for (const tollgate of both) await requireCharges(tollgate, warmUpCalls + count * CALLS_PER_ROUND)
    const of = (tollgate: Tollgate, figure: keyof Round) => (rounds.get(tollgate) ?? []).map((round) => round[figure])
    const compared = (what: string, unit: string, figure: keyof Round, ratioMin?: number) =>
      pairedFigure(
        `${what}, ${CONNECTIONS} connections, EventStoreDB to embedded`,
        unit,
        of(eventStoreDb, figure),
        of(embedded, figure),
        ratioMin,
      )
    return [
      compared('chat calls', 'calls/s', 'callsPerSecond', CALLS_RATIO_MIN),
      atMost(compared("gateway's and projector's CPU time a call", 'µs', 'cpuMicrosPerCall'), CPU_RATIO_MAX),
    ]
  })
}

async function loadRound(load: ChildProcess, tollgate: Tollgate, calls: number): Promise<Round> {
  const { name, call, usage, projector } = tollgate
  const nodeCpuMicros = async () => (await usage()).cpuMicros + (await projector.usage()).cpuMicros
  const before = await nodeCpuMicros()
  const counted: CountedLoad = { ...call, connections: CONNECTIONS, calls }
  const { failures, seconds } = await answerTo<CountedResult>(load, counted)
  if (failures > 0) throw new Error(`${failures} of the calls through ${name} failed`)
  await delay(SETTLE_MS)
  return { callsPerSecond: calls / seconds, cpuMicrosPerCall: ((await nodeCpuMicros()) - before) / calls }
}

/** What the other store adds to calls of a provider that takes 50 ms, at a rate that leaves the machine headroom. */
function benchLatency({ isShort }: Pace): Promise<Figure[]> {
  return withBothStores(UPSTREAM_MS, async ({ folder, embedded, eventStoreDb }) => {
    const generator = await startHelper(folder, 'steadyLoad.ts')
    const p50 = async ({ name, call }: Tollgate) => {
      const load: SteadyLoad = {
        ...call,
        callsPerSecond: STEADY_CALLS_PER_SECOND,
        warmUpMs: STEADY_WARM_UP_MS,
        measureMs: STEADY_MS,
      }
      const { latenciesMs, failures } = await answerTo<SteadyResult>(generator, load)
      if (failures > 0) throw new Error(`${failures} of the calls through ${name} failed`)
      return percentile(latenciesMs, 50)
    }
    for (const tollgate of [embedded, eventStoreDb]) await p50(tollgate)
    const added: number[] = []
    await eachRound(isShort ? 1 : ROUNDS, async () => {
      const reference = await p50(embedded)
      added.push((await p50(eventStoreDb)) - reference)
    })
    const rate = `${STEADY_CALLS_PER_SECOND} calls/s, ${UPSTREAM_MS} ms upstream`
    return [limitFigure(`p50 above the embedded store, ${rate}`, 'ms', median(added), ADDED_P50_MS_MAX)]
  })
}
