import http from 'node:http'
import { machine } from '../../../bench/figure.ts'
import { readCpuTicks } from '../../../bench/stolenTime.ts'
import type { Counts } from '../../../scripts/stack/plan.ts'
import { startFixedPortPostgres } from '../../support/databases/fixedPortPostgres.ts'
import { openTestKafka } from '../../support/engines/kafkaBroker.ts'
import { startRedisServer } from '../../support/engines/redisServer.ts'
import { type Demo, UNLIMITED } from '../../support/harness/installation.ts'
import { beginStack } from '../../support/harness/stack.ts'
import { callerAgent } from '../engines/callerAgent.ts'
import type { SoakReport } from '../engines/enginesSoak.ts'
import { freeStackPorts, killServicesAsLastStep } from '../engines/fleet.ts'
import { startProviderProcess } from '../engines/provider.ts'
import { startSoakStore } from '../engines/soakStore.ts'
import { type FirstCall, judgeFirstCalls } from './mintedKeysVerdict.ts'

export const MINTED_PAIRS = 10_000
export const SHORT_MINTED_PAIRS = 300

const COUNTS: Counts = { gateways: 2, projectors: 1, relays: 1 }
/** Keys that are minted at the same time. */
const AT_ONCE = 8
const REQUEST_MS_MAX = 30_000
const POSTGRES_SETTINGS = { max_connections: '300', fsync: 'off' }
const MINT = JSON.stringify({ query: 'mutation { mintApiKey(input: { name: "soak" }) { secret } }' })

type Tell = (line: string) => void
type Closers = (() => Promise<void>)[]
type Settings = Readonly<Record<string, string>>
type Started = { readonly store: string; readonly settings: Settings }

/** Each is run with Redis, without which two gateways would not share their limits. */
const ENGINES: readonly { readonly name: string; start(closers: Closers, tell: Tell): Promise<Started> }[] = [
  { name: 'embedded', start: async () => ({ store: 'PostgreSQL', settings: {} }) },
  {
    name: 'Kafka',
    start: async (closers) => {
      const kafka = await openTestKafka({ brokers: 1, heapMb: 256 })
      closers.push(() => kafka.remove())
      return { store: 'PostgreSQL', settings: { KAFKA_BROKERS: kafka.addresses } }
    },
  },
  {
    name: 'EventStoreDB',
    start: async (closers, tell) => {
      const store = await startSoakStore(tell)
      closers.push(() => store.remove())
      return { store: store.name, settings: { EVENTSTORE_URL: store.url } }
    },
  },
]

/** Mints keys as a company admin does, and calls a gateway with each as soon as the backend has answered with it. */
export async function soakMintedKeys(pairs: number, tell: Tell): Promise<SoakReport> {
  const beganAt = performance.now()
  const begin = readCpuTicks()
  const runs = []
  for (const { name, start } of ENGINES) {
    const closers: Closers = []
    try {
      tell(`${name}: starting two gateways`)
      const { store, settings } = await start(closers, tell)
      const { demo, gateways } = await startStack(closers, settings)
      tell(`${name}: minting ${pairs} keys`)
      const calls = await mintAndCall(demo, gateways, pairs)
      runs.push({ engines: name, store, ...figuresOf(calls), check: judgeFirstCalls(name, calls, pairs) })
    } finally {
      tell(`${name}: stopping`)
      for (const close of closers.toReversed()) await close()
    }
  }
  return {
    measuredAt: new Date().toISOString(),
    machine: machine(begin),
    pairs,
    engines: runs.map(({ check: _check, ...figures }) => figures),
    checks: runs.map((run) => run.check),
    seconds: Math.round((performance.now() - beganAt) / 1000),
  }
}

async function startStack(closers: Closers, engines: Settings) {
  const redis = await startRedisServer()
  closers.push(() => redis.stop())
  const postgres = await startFixedPortPostgres(POSTGRES_SETTINGS)
  closers.push(() => postgres.remove())
  const provider = await startProviderProcess()
  closers.push(() => provider.stop())
  const settings = {
    ...UNLIMITED,
    SANDBOX: '1',
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    PROVIDERS_FILE: provider.providersFile,
    ...engines,
  }
  const ports = await freeStackPorts(settings, COUNTS)
  const args = Object.entries(COUNTS).flatMap(([name, count]) => [`--${name}`, String(count)])
  const stack = await beginStack(args, { ...settings, ...ports })
  closers.push(() => stack.stop(), killServicesAsLastStep(stack))
  await stack.ready()
  const gateways = (await stack.processes()).filter(({ name }) => name.startsWith('gateway')).map(({ url }) => url)
  return { demo: await stack.demo(), gateways }
}

async function mintAndCall(demo: Demo, gateways: readonly string[], pairs: number): Promise<FirstCall[]> {
  const backend = callerAgent()
  const agents = gateways.map(() => callerAgent())
  const calls: FirstCall[] = []
  let begun = 0
  const work = async () => {
    while (begun < pairs) {
      const gateway = begun++ % gateways.length
      const secret = await mint(demo, backend)
      const sentAt = performance.now()
      const { status } = await request(`${gateways[gateway]}/llm/v1/models`, { agent: agents[gateway], token: secret })
      calls.push({ status, ms: performance.now() - sentAt, gateway })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  for (const agent of [backend, ...agents]) agent.destroy()
  return calls
}

async function mint({ backendUrl, adminToken }: Demo, agent: http.Agent): Promise<string> {
  const { status, text } = await request(`${backendUrl}/graphql`, { agent, token: adminToken, body: MINT })
  const secret: unknown = JSON.parse(text).data?.mintApiKey?.secret
  if (typeof secret !== 'string') throw new Error(`the backend minted no key: ${status} ${text.slice(0, 500)}`)
  return secret
}

type Sent = { readonly agent: http.Agent | undefined; readonly token: string; readonly body?: string }

function request(url: string, { agent, token, body }: Sent): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
  const method = body === undefined ? 'GET' : 'POST'
  return new Promise((resolve, reject) => {
    const sent = http.request(url, { agent, headers, method, timeout: REQUEST_MS_MAX }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    sent.on('timeout', () => sent.destroy(new Error(`${url} did not answer within ${REQUEST_MS_MAX} ms`)))
    sent.on('error', reject)
    sent.end(body)
  })
}

/** How long the first calls took, and how many were not answered 200. */
function figuresOf(calls: readonly FirstCall[]) {
  const times = calls.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (share: number) =>
    Number((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1))
  return {
    calls: calls.length,
    refused: calls.filter(({ status }) => status !== 200).length,
    firstCallMs: { p50: at(0.5), p99: at(0.99), max: at(1) },
  }
}
