import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { type BenchFolder, withBenchFolder } from '../feed/benchFolder.ts'
import { freePorts } from '../freePorts.ts'
import type { Call } from '../processes/chatRequest.ts'
import type { Load, LoadResult } from '../processes/loadGenerator.ts'
import { answerTo, startHelper, startMeasured } from './benchProcess.ts'
import type { ChargingContestant, Contestant } from './contestant.ts'
import { startPortkey } from './portkey.ts'
import { startTollgate, type Tollgate } from './tollgate.ts'

export type Contest = {
  readonly folder: BenchFolder
  /** The upstream itself, with nothing in between. */
  readonly direct: Call
  readonly proxy: Contestant
  readonly tollgate: Tollgate
  readonly portkey: Contestant
}

/** All of them in front of the same upstream, which is the program `upstream` in the folder processes. */
export function withContestants<Result>(
  upstream: readonly [file: string, ...args: string[]],
  work: (contest: Contest) => Promise<Result>,
): Promise<Result> {
  return withBenchFolder(async (folder) => {
    const [upstreamPort, proxyPort] = await freePorts(2)
    const [file, ...args] = upstream
    await startHelper(folder, file, String(upstreamPort), ...args)
    const upstreamUrl = `http://127.0.0.1:${upstreamPort}`
    const tollgate = await startTollgate(folder, upstreamUrl)
    const { apiKey } = tollgate.call
    const portkey = await startPortkey(folder, upstreamUrl, apiKey)
    const url = `http://127.0.0.1:${proxyPort}`
    const proxy = await startMeasured(folder, {
      name: 'proxy',
      file: join(import.meta.dirname, '..', 'processes', 'bareProxy.ts'),
      args: [String(proxyPort), String(upstreamPort)],
      url: `${url}/cpu`,
    })
    const path = '/v1/chat/completions'
    return work({
      folder,
      direct: { url: `${upstreamUrl}${path}`, apiKey },
      proxy: { name: 'the bare proxy', call: { url: `${url}${path}`, apiKey }, usage: proxy.usage },
      tollgate,
      portkey,
    })
  })
}

export type Round = { readonly callsPerSecond: number; readonly cpuMicrosPerCall: number; readonly calls: number }
export type RoundLength = Pick<Load, 'connections' | 'warmUpMs' | 'measureMs' | 'isStreamed'>

/** One round of full load on one of them. A failed call ends the benchmark, because the measurement would be meaningless. */
export async function fullLoad(
  generator: ChildProcess,
  { name, call, usage }: Contestant,
  length: RoundLength,
): Promise<Round> {
  const before = await usage()
  const load: Load = { ...call, ...length }
  const { calls, seconds, callsInAll, failures } = await answerTo<LoadResult>(generator, load)
  if (failures > 0) throw new Error(`${failures} of the calls through ${name} failed`)
  const { cpuMicros } = await usage()
  return {
    callsPerSecond: calls / seconds,
    cpuMicrosPerCall: (cpuMicros - before.cpuMicros) / callsInAll,
    calls: callsInAll,
  }
}

/** Every complete answer is a charge on the ledger, and nothing else is. */
export async function requireCharges({ name, charges }: ChargingContestant, calls: number): Promise<void> {
  const charged = await charges()
  if (charged !== calls) throw new Error(`${name} answered ${calls} calls, and ${charged} are charged on the ledger`)
}
