import type { Pace } from '../benchCommand.ts'
import { withBenchFolder } from '../feed/benchFolder.ts'
import { type Figure, pairedFigure } from '../figure.ts'
import { freePorts } from '../freePorts.ts'
import type { Api } from '../processes/chatRequest.ts'
import type { CountedLoad, CountedResult } from '../processes/countedLoad.ts'
import { answerTo, startHelper } from './benchProcess.ts'
import { requireCharges } from './contestants.ts'
import { eachRound } from './eachRound.ts'
import { startTollgate } from './tollgate.ts'

const CONNECTIONS = 32
const WARM_UP_CALLS = 10_000
const CALLS_PER_ROUND = 3_000
const ROUNDS = 10
const PATHS: Readonly<Record<Api, string>> = {
  chat: '/llm/v1/chat/completions',
  responses: '/llm/v1/responses',
  messages: '/llm/v1/messages',
}
const APIS = Object.keys(PATHS) as Api[]

type Round = { readonly callsPerSecond: number; readonly cpuMicrosPerCall: number }

/** Calls per second and CPU time per call of each API, compared with chat, with an upstream that answers at once. */
export function benchApis({ isShort }: Pace): Promise<Figure[]> {
  return withBenchFolder(async (folder) => {
    const [port] = await freePorts(1)
    await startHelper(folder, 'chatUpstream.ts', String(port))
    const load = await startHelper(folder, 'countedLoad.ts')
    const tollgate = await startTollgate(folder, `http://127.0.0.1:${port}`)
    let made = 0
    const round = async (api: Api, calls: number): Promise<Round> => {
      const url = new URL(PATHS[api], tollgate.call.url).href
      const before = (await tollgate.usage()).cpuMicros
      const counted: CountedLoad = { ...tollgate.call, url, api, connections: CONNECTIONS, calls }
      const { failures, seconds } = await answerTo<CountedResult>(load, counted)
      if (failures > 0) throw new Error(`${failures} of the calls to ${url} failed`)
      made += calls
      return {
        callsPerSecond: calls / seconds,
        cpuMicrosPerCall: ((await tollgate.usage()).cpuMicros - before) / calls,
      }
    }
    for (const api of APIS) await round(api, isShort ? CALLS_PER_ROUND : WARM_UP_CALLS)
    const rounds: Record<Api, Round[]> = { chat: [], responses: [], messages: [] }
    await eachRound(isShort ? 2 : ROUNDS, async (n) => {
      // The order is reversed in every other round, so that no API benefits from it.
      for (const api of n % 2 === 0 ? APIS : APIS.toReversed()) rounds[api].push(await round(api, CALLS_PER_ROUND))
    })
    await requireCharges(tollgate, made)
    const beside = (api: Api, what: string, unit: string, figure: keyof Round) => {
      const of = (each: Api) => rounds[each].map((one) => one[figure])
      return pairedFigure(`${api}: ${what}, ${CONNECTIONS} connections, to chat`, unit, of(api), of('chat'))
    }
    return APIS.flatMap((api) => [
      beside(api, 'calls', 'calls/s', 'callsPerSecond'),
      beside(api, "gateway's CPU time a call", 'µs', 'cpuMicrosPerCall'),
    ])
  })
}
