import http from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sendSignal } from '../../platform/postgres/embedded/sendSignal.ts'
import { chat as chatCall } from '../crash/chatCall.ts'
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts'
import { type RedisServer, startRedisServer } from '../support/engines/redisServer.ts'
import { describeWithRedis } from '../support/engines/redisSuite.ts'
import { DEMO_FIELDS } from '../support/harness/installation.ts'
import { beginStack, type Stack } from '../support/harness/stack.ts'
import { startRecordingProvider } from '../support/parties/recordingProvider.ts'
import { startTraceCollector } from '../support/parties/traceCollector.ts'
import { expectTracedCall } from '../support/parties/tracedCall.ts'
import { reusablePorts } from '../support/processes/reusablePorts.ts'
import { until } from '../support/time/until.ts'

const LINES_MAX = 10
const KEY_RPM = 1_000
const DRAINED_MS_MAX = 90_000

describeWithRedis('a stack of two gateways on Postgres and Redis', () => {
  let redis: RedisServer
  let database: TestDatabase
  let stack: Stack
  let engines: Record<string, string>
  let collector: Awaited<ReturnType<typeof startTraceCollector>>

  beforeAll(async () => {
    redis = await startRedisServer()
    database = await createTestDatabase()
    engines = { REDIS_URL: redis.url, DATABASE_URL: database.url, SANDBOX: '1', DEMO_KEY_RPM: String(KEY_RPM) }
    collector = await startTraceCollector()
    const traced = { ...engines, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    stack = await beginStack(['--gateways', '2', '--projectors', '2'], traced)
    await stack.ready()
  })
  afterAll(async () => {
    await stack.stop()
    await database.drop()
    await redis.stop()
    await collector.close()
  })

  test('runs every service, and prints ten lines at most', async () => {
    expect((await stack.processes()).map(({ name }) => name).toSorted()).toEqual(
      ['ai', 'backend', 'gateway 1', 'gateway 2', 'projector 1', 'projector 2', 'reactor', 'sandbox'].toSorted(),
    )
    expect(stack.npm.lines.length).toBeLessThanOrEqual(LINES_MAX)
  })

  test('writes demo.json with all its fields', async () => {
    const demo = await stack.demo()
    for (const field of DEMO_FIELDS) expect(demo[field], field).toEqual(expect.stringMatching(/./))
    expect(demo.logFile).toBe(join(stack.dataDir, 'logs', 'tollgate.log'))
  })

  test('answers and charges at each gateway, under one shared limit', async () => {
    // Waits for a minute that is long enough for the whole test.
    // The calls of one minute count together, and a busy machine takes long for four of them.
    await until('the minute is young enough', () => Date.now() % 60_000 < 35_000)
    const used: number[] = []
    for (const name of ['gateway 1', 'gateway 2', 'gateway 1', 'gateway 2']) {
      const answer = await chat(stack, name)
      expect(answer.status).toBe(200)
      expect(Number(answer.headers.get('x-credits-charged'))).toBeGreaterThan(0)
      used.push(KEY_RPM - Number(answer.headers.get('x-ratelimit-remaining-requests')))
    }
    const first = used[0] ?? 0
    expect(used).toEqual([first, first + 1, first + 2, first + 3])
  })

  test("a call is one trace from its caller through the gateway's and the projector's process, without Kafka", () =>
    expectTracedCall(stack, collector, false))

  test.each(['gateway 2', 'projector 1', 'backend'])('starts %s again when it dies', async (name) => {
    const { pid, url } = await stack.processNamed(name)
    sendSignal(pid, 'SIGKILL')
    await stack.npm.line(new RegExp(`^tollgate: ${name} has ended \\(SIGKILL\\)`))
    await stack.npm.line(new RegExp(`^tollgate: ${name} is back`))
    expect((await stack.processNamed(name)).pid).not.toBe(pid)
    expect((await fetch(`${url}/metrics`)).status).toBe(401)
  })

  test('serves calls at the other gateways while one is down', async () => {
    sendSignal((await stack.processNamed('gateway 2')).pid, 'SIGKILL')
    expect((await chat(stack, 'gateway 1')).status).toBe(200)
    await until('the other is back, and answers', async () => {
      const answer = await chat(stack, 'gateway 2').catch(() => null)
      return answer?.status === 200
    })
  })

  test('ends with 0 on Ctrl-C and leaves no process', async () => {
    const another = await begun(['--gateways', '2'], { ...engines, DEMO_KEY_RPM: '10' })
    await another.ready()
    const processes = await another.processes()
    expect(processes).toHaveLength(7)
    another.npm.signalGroup('SIGINT')
    expect(await another.npm.exited).toEqual({ code: 0, signal: null })
    expect(await another.left(processes)).toEqual([])
    expect(another.npm.lines.filter((line) => line.startsWith('tollgate:'))).toEqual([])
  })

  test('whose supervisor is killed drains by itself', async () => {
    const another = await begun(['--gateways', '2'], engines)
    await another.ready()
    const processes = await another.processes()
    sendSignal(await another.supervisorPid(), 'SIGKILL')
    await until('all have ended', async () => (await another.left(processes)).length === 0, DRAINED_MS_MAX)
  })
})

test('without DATABASE_URL starts its own Postgres, and stops it at the end', async () => {
  const stack = await begun([], {})
  await stack.ready()
  const processes = await stack.processes()
  expect(processes.map(({ name }) => name)).toContain('gateway')
  expect((await chat(stack, 'gateway')).status).toBe(200)
  sendSignal(stack.npm.pid, 'SIGTERM')
  expect(await stack.npm.exited).toEqual({ code: 0, signal: null })
  expect(await stack.left(processes)).toEqual([])
})

test('a second Ctrl-C ends at once and leaves no process', async () => {
  const provider = await startRecordingProvider()
  onTestFinished(() => provider.close())
  const stack = await begun([], { PROVIDERS_FILE: provider.providersFile })
  await stack.ready()
  const processes = await stack.processes()
  const supervisor = await stack.supervisorPid()
  const agent = new http.Agent()
  onTestFinished(() => agent.destroy())
  const { promise: begunAnswer, resolve: onFirstByte } = Promise.withResolvers<void>()
  const script = { marker: 'held', pieces: 6, pieceMs: 10, held: true }
  const call = chatCall({ demo: await stack.demo(), agent, script, streamed: true, onFirstByte })
  await begunAnswer
  stack.npm.signalGroup('SIGINT')
  await stack.npm.line(/^Draining/)
  await until('npm has ended', () => {
    sendSignal(supervisor, 'SIGINT')
    return stack.npm.exit
  })
  expect(stack.npm.exit).toEqual({ code: 1, signal: null })
  expect(await call).toMatchObject({ whole: false })
  await until('nothing runs', async () => (await stack.left(processes)).length === 0)
})

describe('a stack that cannot start prints one line and leaves no process for', () => {
  const redis = { REDIS_URL: 'redis://127.0.0.1:1', SANDBOX: '1' }
  const rows: [string, string[], Record<string, string>, RegExp, number][] = [
    ['several gateways without Redis', ['--gateways', '2'], {}, /^tollgate: REDIS_URL is not set: 2 gateways/, 1],
    ['a bad setting', [], { IP_RPM: 'many' }, /IP_RPM must be a whole number/, 1],
    ['what production lacks', [], { HOST: '0.0.0.0' }, /PROVIDERS_FILE is not set/, 1],
    ['two services on a port', ['--gateways', '2'], { ...redis, GATEWAY_PORT: '24000', AI_PORT: '24010' }, /24010/, 1],
    ['no number', ['--gateways', 'many'], {}, /--gateways must be a number/, 2],
    ['too many', ['--projectors', '1000'], {}, /--projectors must be a number/, 2],
    ['an unknown option', ['--gateway', '2'], {}, /--gateway/, 2],
  ]
  test.each(rows)('%s', async (_, args, settings, line, code) => {
    const stack = await begun(args, settings)
    expect(await stack.npm.exited).toEqual({ code, signal: null })
    expect(stack.npm.lines[0]).toMatch(line)
    expect(stack.npm.lines).toHaveLength(code)
    expect(await stack.left([])).toEqual([])
  })

  test('a port that is taken', async () => {
    const [port] = await reusablePorts(1)
    const taker = createServer().listen(port, '127.0.0.1')
    onTestFinished(() => void taker.close())
    const stack = await begun([], { REACTOR_PORT: String(port) })
    expect(await stack.npm.exited).toEqual({ code: 1, signal: null })
    expect(stack.npm.lines).toEqual([expect.stringMatching(`REACTOR_PORT: port ${port} .*is in use`)])
    expect(await stack.left([])).toEqual([])
  })
})

async function begun(args: string[], settings: Record<string, string>): Promise<Stack> {
  const stack = await beginStack(args, settings)
  onTestFinished(() => stack.stop())
  return stack
}

async function chat(stack: Stack, gateway: string): Promise<Response> {
  const { url } = await stack.processNamed(gateway)
  const { apiKey } = await stack.demo()
  const answer = await fetch(`${url}/llm/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'svc/chat-default', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await answer.text()
  return answer
}
