import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DEMO_FIELDS, type Installation, makeInstallation, startInstallation } from '../support/installation.ts'
import { until } from '../support/until.ts'

const START_MS_MAX = 90_000
const LINES_MAX = 10

describe('a first start', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await startInstallation()
    tellSeconds('first', installation)
  }, START_MS_MAX)
  afterAll(() => installation.stop(), START_MS_MAX)

  test('prints ten lines at most', () => {
    expect(installation.outputLines.length).toBeLessThanOrEqual(LINES_MAX)
  })

  test('prints one curl line, which gets a chat completion that is charged', async () => {
    const curlLines = installation.outputLines.filter((line) => line.includes('curl '))
    expect(curlLines).toHaveLength(1)
    const before = await balanceOf(installation)
    const { stdout } = await promisify(execFile)('sh', ['-c', curlLines.join()])
    expect(JSON.parse(stdout)).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: expect.stringContaining('Hello') } }],
    })
    expect(await balanceOf(installation)).toBeLessThan(before)
  })

  test('writes demo.json with all its fields, for its owner only', async () => {
    const file = join(installation.dataDir, 'demo.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const demo = JSON.parse(await readFile(file, 'utf8'))
    for (const field of DEMO_FIELDS) expect(demo[field], field).toEqual(expect.stringMatching(/./))
    expect(demo.gatewayUrl).toMatch(/\/llm\/v1$/)
    await expect(stat(demo.logFile)).resolves.toBeDefined()
  })

  test.each(['gatewayUrl', 'backendUrl', 'aiUrl', 'sandboxUrl'] as const)(
    'shows the figures of all threads on the /metrics of %s, with the internal token',
    async (service) => {
      const metrics = `${new URL(installation.demo[service] ?? '').origin}/metrics`
      expect((await fetch(metrics)).status).toBe(401)
      const read = async () => {
        const answer = await fetch(metrics, { headers: { authorization: `Bearer ${installation.demo.internalToken}` } })
        return answer.text()
      }
      await until('the projector has applied events', async () =>
        /^tollgate_projection_events_total.* [1-9]/m.test(await read()),
      )
      expect(await read()).toContain('process_cpu_seconds_total')
    },
  )

  test('keeps a second one out of its data folder, and is not harmed by it', { timeout: START_MS_MAX }, async () => {
    const other = await makeInstallation({ DATA_DIR: installation.dataDir })
    onTestFinished(() => other.stop())
    const second = other.begin()
    expect(await second.exited).toMatchObject({ code: 1 })
    expect(second.lines).toEqual([expect.stringContaining(`${installation.dataDir} is in use`)])
    expect(await second.group()).toEqual([])
    expect(installation.exitCode).toBeNull()
    expect(await balanceOf(installation)).toBeGreaterThan(0)
  })
})

test('of two first starts at the same time one is refused, and the other is whole', {
  timeout: START_MS_MAX,
}, async () => {
  const one = await makeInstallation()
  onTestFinished(() => one.stop())
  const other = await makeInstallation({ DATA_DIR: one.dataDir })
  onTestFinished(() => other.stop())
  const starts = [one.begin(), other.begin()]
  await Promise.any(starts.map((npm) => npm.line(/^See the charge:/)))
  const refused = await Promise.any(starts.map(async (npm) => ({ ...(await npm.exited), lines: npm.lines })))
  expect(refused).toEqual({ code: 1, signal: null, lines: [expect.stringMatching(/is in use by process \d+/)] })

  const [running] = starts.filter(({ exit }) => !exit)
  running?.signalGroup('SIGINT')
  expect(await running?.exited).toEqual({ code: 0, signal: null })
  await one.startAgain()
})

test('a later start resumes with the same company, key and balance', { timeout: 2 * START_MS_MAX }, async () => {
  const installation = await makeInstallation({ DEMO_CREDITS: '500' })
  onTestFinished(() => installation.stop())
  await installation.startAgain()
  const first = installation.demo
  await chatOnce(installation)
  const balance = await balanceOf(installation)
  expect(balance).toBeLessThan(500)

  expect(await installation.terminate()).toEqual({ code: 0, signal: null })
  expect(await installation.processesLeft()).toEqual([])
  await installation.startAgain()
  tellSeconds('later', installation)
  const { adminToken, superAdminToken, ...same } = first
  expect(installation.demo).toMatchObject(same)
  expect(await balanceOf(installation)).toBe(balance)

  expect(await installation.interrupt()).toEqual({ code: 0, signal: null })
  expect(await installation.processesLeft()).toEqual([])
})

describe('a start that ends half-way', () => {
  const moments: [string, (installation: Installation) => Promise<boolean>][] = [
    ['as soon as npm has begun', async () => true],
    ['while Node loads the program', async (installation) => isRunning(installation, 'scripts/start.ts')],
    ['in the midst of initdb', async (installation) => isRunning(installation, 'initdb')],
    ['when Postgres has just been spawned', async (installation) => isRunning(installation, 'bin/postgres -D')],
    ['while the demo is being seeded', ({ dataDir }) => exists(join(dataDir, 'demo.json'))],
  ]

  test.each(moments)('by Ctrl-C, %s, leaves no process', { timeout: START_MS_MAX }, async (_, hasCome) => {
    const installation = await makeInstallation()
    onTestFinished(() => installation.stop())
    const npm = installation.begin()
    await until('the moment has come', () => hasCome(installation))
    await installation.interrupt()
    expect(await installation.processesLeft()).toEqual([])
    expect(npm.lines.join('\n')).not.toMatch(/error|at .*\.ts/i)
  })

  test.each(moments.slice(2))(
    'by kill -9, %s, is made good by the next',
    { timeout: START_MS_MAX },
    async (_, hasCome) => {
      const installation = await makeInstallation({ DEMO_CREDITS: '500' })
      onTestFinished(() => installation.stop())
      installation.begin()
      await until('the moment has come', () => hasCome(installation))
      await installation.kill9()
      await installation.startAgain()
      expect(await balanceOf(installation)).toBe(500)
      await chatOnce(installation)
    },
  )
})

async function balanceOf({ demo }: Installation): Promise<number> {
  const answer = await fetch(`${demo.gatewayUrl}/usage`, { headers: { authorization: `Bearer ${demo.apiKey}` } })
  const { balance } = (await answer.json()) as { balance: { credits: number } }
  return balance.credits
}

async function chatOnce({ demo }: Installation): Promise<void> {
  const answer = await fetch(`${demo.gatewayUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'svc/chat-default', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
}

async function isRunning(installation: Installation, program: string): Promise<boolean> {
  return (await installation.processesLeft()).some((command) => command.includes(program))
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(Boolean, () => false)
}

/** The benchmark holds the start against its limit; here the figure is only told. */
function tellSeconds(which: string, { startSeconds }: Installation): void {
  process.stdout.write(`npm start: ready ${startSeconds.at(-1)?.toFixed(2)} s after the command (${which} start)\n`)
}
