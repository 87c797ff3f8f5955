import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Installation, makeInstallation } from '../support/harness/installation.ts'
import { until } from '../support/time/until.ts'
import { balanceOf, chatOnce } from './demoCalls.ts'
import { printSeconds } from './startSeconds.ts'

test('one of two simultaneous first starts is refused, and so is one beside a running installation, which it does not harm', async () => {
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

  const second = other.begin()
  expect(await second.exited).toMatchObject({ code: 1 })
  expect(second.lines).toEqual([expect.stringContaining(`${one.dataDir} is in use`)])
  expect(await second.group()).toEqual([])
  expect(one.exitCode).toBeNull()
  expect(await balanceOf(one)).toBeGreaterThan(0)
})

test('a later start resumes with the same company, key and balance', async () => {
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
  printSeconds('later', installation)
  // These are for one use or expire, so every start makes new ones.
  const { adminToken, superAdminToken, signInUrl, ...same } = first
  expect(installation.demo).toMatchObject(same)
  expect(await balanceOf(installation)).toBe(balance)

  expect(await installation.interrupt()).toEqual({ code: 0, signal: null })
  expect(await installation.processesLeft()).toEqual([])
})

describe('a first start that is ended half-way', () => {
  const moments: [string, (installation: Installation) => Promise<boolean>][] = [
    ['as soon as npm has begun', async () => true],
    ['while Node loads the program', async (installation) => isRunning(installation, 'scripts/start.ts')],
    ['in the midst of initdb', async (installation) => isRunning(installation, 'initdb')],
    ['when Postgres has just been spawned', async (installation) => isRunning(installation, 'bin/postgres -D')],
    ['while the demo is being seeded', ({ dataDir }) => exists(join(dataDir, 'demo.json'))],
  ]

  test.each(moments)('by Ctrl-C, %s, leaves no process', async (_, hasCome) => {
    const installation = await makeInstallation()
    onTestFinished(() => installation.stop())
    const npm = installation.begin()
    await until('the moment has come', () => hasCome(installation))
    await installation.interrupt()
    expect(await installation.processesLeft()).toEqual([])
    expect(npm.lines.join('\n')).not.toMatch(/error|at .*\.ts/i)
  })

  test.each(moments.slice(2))('by kill -9, %s, is completed by the next start', async (_, hasCome) => {
    const installation = await makeInstallation({ DEMO_CREDITS: '500' })
    onTestFinished(() => installation.stop())
    installation.begin()
    await until('the moment has come', () => hasCome(installation))
    await installation.kill9()
    await installation.startAgain()
    expect(await balanceOf(installation)).toBe(500)
    await chatOnce(installation)
  })
})

async function isRunning(installation: Installation, program: string): Promise<boolean> {
  return (await installation.processesLeft()).some((command) => command.includes(program))
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(Boolean, () => false)
}
