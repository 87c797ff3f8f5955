import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Figure, limitFigure, median, ratioFigure } from './figure.ts'
import type { Load, LoadResult } from './processes/loadGenerator.ts'

const CONNECTIONS = 32
const ROUNDS = 3
const WARM_UP_MS = 1_500
const MEASURE_MS = 5_000
const RATIO_MIN = 0.35
const READY_SECONDS_MAX = 5

/**
 * Chat calls a second through the whole of `npm start`, its projector running, against a bare passthrough proxy with the
 * same upstream and the same load; and the seconds that its first and its second start took.
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
    const [upstreamPort, proxyPort, ...ports] = await freePorts(6)
    await started('instantUpstream.ts', String(upstreamPort))
    await started('bareProxy.ts', String(proxyPort), String(upstreamPort))
    const generator = await started('loadGenerator.ts')
    const first = await startTollgate(folder, ports, upstreamPort ?? 0)
    await stop(first.process)
    const second = await startTollgate(folder, ports, upstreamPort ?? 0)
    children.push(second.process)
    const bare: number[] = []
    const ours: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await callsPerSecond(generator, `http://127.0.0.1:${proxyPort}/v1/chat/completions`, second.apiKey))
      ours.push(await callsPerSecond(generator, `${second.gatewayUrl}/chat/completions`, second.apiKey))
    }
    await stop(second.process)
    return [
      ratioFigure(`chat calls, ${CONNECTIONS} connections`, 'calls/s', median(ours), median(bare), RATIO_MIN),
      limitFigure('ready, first start', 's', first.seconds, READY_SECONDS_MAX),
      limitFigure('ready, later start', 's', second.seconds, READY_SECONDS_MAX),
    ]
  } finally {
    for (const child of children) child.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

async function callsPerSecond(generator: ChildProcess, url: string, apiKey: string): Promise<number> {
  const load: Load = { url, apiKey, connections: CONNECTIONS, warmUpMs: WARM_UP_MS, measureMs: MEASURE_MS }
  generator.send(load)
  const [result] = (await once(generator, 'message')) as [LoadResult]
  if (result.failures > 0) throw new Error(`${result.failures} of the calls to ${url} failed`)
  return result.calls / result.seconds
}

async function startTollgate(folder: string, ports: readonly number[], upstreamPort: number) {
  const providersFile = join(folder, 'providers.json')
  const provider = { name: 'bench', baseUrl: `http://127.0.0.1:${upstreamPort}/v1`, model: 'bench-model' }
  await writeFile(providersFile, JSON.stringify({ aliases: { 'svc/chat-default': { providers: [provider] } } }))
  const [gateway, backend, ai, sandbox] = ports.map(String)
  const dataDir = join(folder, 'data')
  const began = performance.now()
  const process_ = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '..', '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      GATEWAY_PORT: gateway,
      BACKEND_PORT: backend,
      AI_PORT: ai,
      SANDBOX_PORT: sandbox,
      PROVIDERS_FILE: providersFile,
      IP_RPM: '0',
      DEMO_KEY_RPM: '1000000000',
      DEMO_KEY_TPM: '100000000000',
      DEMO_CREDITS: '1000000000',
    },
  })
  let output = ''
  for await (const chunk of process_.stdout) {
    output += chunk
    if (output.includes('curl')) break
  }
  process_.stdout.resume()
  const seconds = (performance.now() - began) / 1000
  const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as { apiKey: string; gatewayUrl: string }
  return { process: process_, seconds, apiKey: demo.apiKey, gatewayUrl: demo.gatewayUrl }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  process.kill(-(child.pid ?? 0), 'SIGINT')
  await once(child, 'exit')
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = net.createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  return servers.map((server) => {
    const { port } = server.address() as net.AddressInfo
    server.close()
    return port
  })
}
