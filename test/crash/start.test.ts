import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_FIELDS, type Installation, startInstallation } from '../support/harness/installation.ts'
import { until } from '../support/time/until.ts'
import { balanceOf } from './demoCalls.ts'
import { printSeconds } from './startSeconds.ts'

const LINES_MAX = 10

describe('a first start', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await startInstallation()
    printSeconds('first', installation)
  })
  afterAll(() => installation.stop())

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
})
