import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AiApp, startAiApp } from '../../../test/support/harness/aiApp.ts'
import type { LogFilter } from '../monitoring/appLogs.ts'

const PATH = '/monitoring/app-logs'
const ENTRY = { timestamp: '2026-03-01T10:00:00.000Z', level: 'warn', message: 'late', context: {}, service: 'ai' }

let ai: AiApp
let filters: LogFilter[]
beforeAll(async () => {
  filters = []
  const find = async (filter: LogFilter) => {
    filters.push(filter)
    return { source: 'file' as const, entries: [ENTRY] }
  }
  ai = await startAiApp({ logs: { find } })
})
afterAll(() => ai.close())

test('200 with the entries that match the query', async () => {
  const { status, json } = await ai.get(`${PATH}?level=warn&service=ai&text=Late&since=2026-03-01T00:00:00Z&limit=5`)
  expect([status, json]).toEqual([200, { source: 'file', entries: [ENTRY] }])
  const sinceMs = Date.UTC(2026, 2, 1)
  expect(filters.at(-1)).toEqual({ level: 'warn', service: 'ai', text: 'Late', sinceMs, limit: 5 })
})

test('200 with up to 100 entries by default', async () => {
  expect((await ai.get(PATH)).status).toBe(200)
  expect(filters.at(-1)).toEqual({ limit: 100 })
})

test.each([
  ['an unknown parameter', 'levle=info', /levle/],
  ['an unknown level', 'level=loud', /'level'/],
  ['a limit of 0', 'limit=0', /'limit'/],
  ['a limit above 1000', 'limit=1001', /'limit'/],
  ['a limit that is not a number', 'limit=many', /'limit'/],
  ['an empty text', 'text=', /'text'/],
  ['a time that is not ISO 8601', 'since=yesterday', /'since'/],
])('400 for %s', async (_, query, message) => {
  const { status, json } = await ai.get(`${PATH}?${query}`)
  expect([status, json.error]).toEqual([400, expect.stringMatching(message)])
})

test('401 without the internal token', async () => {
  expect((await ai.send(PATH)).status).toBe(401)
})
