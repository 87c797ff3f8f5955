import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Pace } from '../benchCommand.ts'
import { startEventStoreServer } from '../eventStoreServer.ts'
import { type BenchFolder, withBenchFolder } from '../feed/benchFolder.ts'
import { percentile } from '../feed/lagFigures.ts'
import { atMost, type Figure, limitFigure, median, pairedFigure } from '../figure.ts'
import { freePorts } from '../freePorts.ts'
import type { SteadyLoad, SteadyResult } from '../processes/steadyLoad.ts'
import { startHelper } from './benchProcess.ts'
import { fullLoad, type Round, requireCharges } from './contestants.ts'
import { startTollgate, type Tollgate } from './tollgate.ts'

const CONNECTIONS = 32
const FIRST_WARM_UP_MS = 8_000
const WARM_UP_MS = 500
const MEASURE_MS = 2_000
const ROUNDS = 5
/** After a round, the projector works off what it has gathered; its CPU time belongs to the calls of the round. */
const SETTLE_MS = 1_500
const CALLS_RATIO_MIN = 0.6
const CPU_RATIO_MAX = 1.4
const UPSTREAM_MS = 50
const STEADY_CALLS_PER_SECOND = 200
const STEADY_MS = 3_500
const ADDED_P50_MS_MAX = 1

type Stores = { readonly folder: BenchFolder; readonly embedded: Tollgate; readonly eventStoreDb: Tollgate }

/** The gateway on a real EventStoreDB beside the same gateway on the embedded store, in alternating rounds. */
export async function benchOnEventStoreDb(pace: Pace): Promise<Figure[]> {
  return [...(await benchCalls(pace)), ...(await benchLatency(pace))]
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

/** Calls a second, and the CPU time of gateway and projector together. */
function benchCalls({ isShort }: Pace): Promise<Figure[]> {
  return withBothStores(0, async ({ folder, embedded, eventStoreDb }) => {
    const generator = await startHelper(folder, 'loadGenerator.ts')
    const rounds = new Map([embedded, eventStoreDb].map((tollgate) => [tollgate, [] as Round[]]))
    const calls = new Map([embedded, eventStoreDb].map((tollgate) => [tollgate, 0]))
    const measure = async (warmUpMs: number, isKept: boolean) => {
      for (const [tollgate, kept] of rounds) {
        const round = await loadRound(generator, tollgate, warmUpMs)
        calls.set(tollgate, (calls.get(tollgate) ?? 0) + round.calls)
        if (isKept) kept.push(round)
      }
    }
    await measure(isShort ? WARM_UP_MS : FIRST_WARM_UP_MS, false)
    for (let round = 0; round < (isShort ? 2 : ROUNDS); round++) await measure(WARM_UP_MS, true)
    for (const [tollgate, made] of calls) await requireCharges(tollgate, made)
    const both = (figure: keyof Round) =>
      [eventStoreDb, embedded].map((tollgate) => (rounds.get(tollgate) ?? []).map((round) => round[figure])) as [
        number[],
        number[],
      ]
    const name = (what: string) => `${what}, ${CONNECTIONS} connections, EventStoreDB to embedded`
    return [
      pairedFigure(name('chat calls'), 'calls/s', ...both('callsPerSecond'), CALLS_RATIO_MIN),
      atMost(
        pairedFigure(name("gateway's and projector's CPU time a call"), 'µs', ...both('cpuMicrosPerCall')),
        CPU_RATIO_MAX,
      ),
    ]
  })
}

async function loadRound(generator: ChildProcess, tollgate: Tollgate, warmUpMs: number): Promise<Round> {
  const { usage, projector } = tollgate
  const nodeCpuMicros = async () => (await usage()).cpuMicros + (await projector.usage()).cpuMicros
  const before = await nodeCpuMicros()
  const round = await fullLoad(generator, tollgate, { connections: CONNECTIONS, warmUpMs, measureMs: MEASURE_MS })
  await delay(SETTLE_MS)
  return { ...round, cpuMicrosPerCall: ((await nodeCpuMicros()) - before) / round.calls }
}

/** What the other store adds to calls of a provider that takes 50 ms, at a rate that leaves the machine room. */
function benchLatency({ isShort }: Pace): Promise<Figure[]> {
  return withBothStores(UPSTREAM_MS, async ({ folder, embedded, eventStoreDb }) => {
    const generator = await startHelper(folder, 'steadyLoad.ts')
    const p50 = async ({ name, call }: Tollgate) => {
      const load: SteadyLoad = {
        ...call,
        callsPerSecond: STEADY_CALLS_PER_SECOND,
        warmUpMs: WARM_UP_MS,
        measureMs: STEADY_MS,
      }
      generator.send(load)
      const [{ latenciesMs, failures }] = (await once(generator, 'message')) as [SteadyResult]
      if (failures > 0) throw new Error(`${failures} of the calls through ${name} failed`)
      return percentile(latenciesMs, 50)
    }
    for (const tollgate of [embedded, eventStoreDb]) await p50(tollgate)
    const added: number[] = []
    for (let round = 0; round < (isShort ? 1 : ROUNDS); round++) {
      const reference = await p50(embedded)
      added.push((await p50(eventStoreDb)) - reference)
    }
    const rate = `${STEADY_CALLS_PER_SECOND} calls/s, ${UPSTREAM_MS} ms upstream`
    return [limitFigure(`p50 above the embedded store, ${rate}`, 'ms', median(added), ADDED_P50_MS_MAX)]
  })
}
