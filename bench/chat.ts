import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Figure, limitFigure, pairedFigure } from './figure.ts'
import { freePorts } from './freePorts.ts'
import type { Load, LoadResult } from './processes/loadGenerator.ts'

/**
 * The bound is about maximum throughput, so it applies to the load that keeps both busy all the time. With few
 * connections, calls of the gateway also wait for a shared commit.
 */
const CONNECTIONS = [32, 128] as const
const BOUND_AT = 128
/** Many short alternating rounds, so that a noisy neighbour slows down both. */
const ROUNDS = 9
const WARM_UP_MS = 500
/** Calls before the first round, so that the code is compiled and optimized. */
const FIRST_WARM_UP_MS = 10_000
const MEASURE_MS = 2_000
const RATIO_MIN = 0.35
const READY_SECONDS_MAX = 5

/**
 * Measures chat calls per second through `npm start`, with its projector running, against a bare passthrough proxy with
 * the same upstream and the same load, and the duration of a first and a second start.
 */
export async function benchChat(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
  const children: ChildProcess[] = []
  const started = async (file: string, ...args: string[]) => {
    const child = fork(join(import.meta.dirname, 'processes', file), args)
    children.push(child)
    await once(child, 'message')
    return child
  }
  try {
    const [upstreamPort, proxyPort, ...ports] = await freePorts(7)
    await started('chatUpstream.ts', String(upstreamPort))
    await started('bareProxy.ts', String(proxyPort), String(upstreamPort))
    const generator = await started('loadGenerator.ts')
    const first = await startTollgate(folder, ports, upstreamPort ?? 0)
    await stop(first.process)
    const second = await startTollgate(folder, ports, upstreamPort ?? 0)
    children.push(second.process)
    const proxy: Target = {
      url: `http://127.0.0.1:${proxyPort}/v1/chat/completions`,
      apiKey: second.apiKey,
      cpuMicros: async () => {
        const cpu = await getJson<NodeJS.CpuUsage>(`http://127.0.0.1:${proxyPort}/cpu`, '')
        return cpu.user + cpu.system
      },
    }
    for (const target of [proxy, second.target]) await measure(generator, target, BOUND_AT, FIRST_WARM_UP_MS)
    const figures: Figure[] = []
    for (const connections of CONNECTIONS) {
      const bare: Round[] = []
      const ours: Round[] = []
      for (let round = 0; round < ROUNDS; round++) {
        bare.push(await measure(generator, proxy, connections))
        ours.push(await measure(generator, second.target, connections))
      }
      const pairs = (figure: keyof Round) =>
        [ours.map((round) => round[figure]), bare.map((round) => round[figure])] as const
      const ratioMin = connections === BOUND_AT ? RATIO_MIN : undefined
      figures.push(
        pairedFigure(`chat calls, ${connections} connections`, 'calls/s', ...pairs('callsPerSecond'), ratioMin),
        pairedFigure(`CPU time a call, ${connections} connections`, 'µs', ...pairs('cpuMicrosPerCall')),
      )
    }
    await stop(second.process)
    return [
      ...figures,
      limitFigure('ready, first start', 's', first.seconds, READY_SECONDS_MAX),
      limitFigure('ready, later start', 's', second.seconds, READY_SECONDS_MAX),
    ]
  } finally {
    for (const child of children) child.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

type Target = { readonly url: string; readonly apiKey: string; cpuMicros(): Promise<number> }
type Round = { readonly callsPerSecond: number; readonly cpuMicrosPerCall: number }

async function measure(
  generator: ChildProcess,
  { url, apiKey, cpuMicros }: Target,
  connections: number,
  warmUpMs = WARM_UP_MS,
): Promise<Round> {
  const load: Load = { url, apiKey, connections, warmUpMs, measureMs: MEASURE_MS }
  const cpuBefore = await cpuMicros()
  generator.send(load)
  const [result] = (await once(generator, 'message')) as [LoadResult]
  if (result.failures > 0) throw new Error(`${result.failures} of the calls to ${url} failed`)
  const cpu = (await cpuMicros()) - cpuBefore
  return { callsPerSecond: result.calls / result.seconds, cpuMicrosPerCall: cpu / result.callsInAll }
}

async function getJson<Body>(url: string, token: string): Promise<Body> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  return (await response.json()) as Body
}

async function startTollgate(folder: string, ports: readonly number[], upstreamPort: number) {
  const providersFile = join(folder, 'providers.json')
  const provider = { name: 'bench', baseUrl: `http://127.0.0.1:${upstreamPort}/v1`, model: 'bench-model' }
  await writeFile(providersFile, JSON.stringify({ aliases: { 'svc/chat-default': { providers: [provider] } } }))
  const [gateway, backend, ai, sandbox, mail] = ports.map(String)
  const dataDir = join(folder, 'data')
  const began = performance.now()
  const process_ = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      GATEWAY_PORT: gateway,
      BACKEND_PORT: backend,
      AI_PORT: ai,
      SANDBOX_PORT: sandbox,
      SANDBOX_SMTP_PORT: mail,
      PROVIDERS_FILE: providersFile,
      IP_RPM: '0',
      DEMO_KEY_RPM: '1000000000',
      DEMO_KEY_TPM: '100000000000',
      DEMO_CREDITS: '1000000000',
    },
  })
  await new Promise<void>((resolve) => {
    let output = ''
    process_.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('curl')) resolve()
    })
  })
  const seconds = (performance.now() - began) / 1000
  const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Record<string, string>
  const target: Target = {
    url: `${demo.gatewayUrl}/chat/completions`,
    apiKey: demo.apiKey ?? '',
    cpuMicros: async () => {
      const stats = await getJson<Stats>(`${demo.aiUrl}/monitoring/stats`, demo.internalToken ?? '')
      return (stats.cpu.user_seconds + stats.cpu.system_seconds) * 1e6
    },
  }
  return { process: process_, seconds, apiKey: target.apiKey, target }
}

type Stats = { readonly cpu: { readonly user_seconds: number; readonly system_seconds: number } }

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  process.kill(-(child.pid ?? 0), 'SIGINT')
  await once(child, 'exit')
}
