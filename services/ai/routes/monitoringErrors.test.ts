import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AiApp, startAiApp } from '../../../test/support/harness/aiApp.ts'
import type { LogFilter } from '../monitoring/appLogs.ts'

const PATH = '/monitoring/errors'

let ai: AiApp
let filters: LogFilter[]
beforeAll(async () => {
  filters = []
  const find = async (filter: LogFilter) => {
    filters.push(filter)
    return { source: 'memory' as const, entries: [] }
  }
  ai = await startAiApp({ logs: { find } })
})
afterAll(() => ai.close())

test('200 with entries of level error and above', async () => {
  const { status, json } = await ai.get(`${PATH}?limit=5`)
  expect([status, json]).toEqual([200, { source: 'memory', entries: [] }])
  expect(filters).toEqual([{ level: 'error', limit: 5 }])
})

test('400 for a parameter that only app-logs has', async () => {
  expect((await ai.get(`${PATH}?level=warn`)).status).toBe(400)
})

test('401 without the internal token', async () => {
  expect((await ai.send(PATH)).status).toBe(401)
})
