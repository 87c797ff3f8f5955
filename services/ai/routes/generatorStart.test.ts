import { expect, test } from 'vitest'
import { STOPPED, startAiApp } from '../../../test/support/harness/aiApp.ts'

const PATH = '/api/v1/background-tasks/match-score-generator/start'
const figures = async () => STOPPED
const idle = { start: figures, stop: figures, figures }

test('200 with the status after the start', async () => {
  const start = async () => ({ ...STOPPED, status: 'running' as const, uptimeSeconds: 7, batch: 3, queueSize: 9 })
  const ai = await startAiApp({ generator: { ...idle, start } })
  const { status, json } = await ai.post(PATH)
  expect([status, json]).toEqual([200, { status: 'running', uptime_seconds: 7, current_batch: 3, queue_size: 9 }])
  await ai.close()
})

test('401 without the internal token', async () => {
  const ai = await startAiApp()
  expect((await ai.send(PATH, { method: 'POST' })).status).toBe(401)
  await ai.close()
})

test('503 with retry-after while the database or the event store does not answer', async () => {
  const start = () => Promise.reject(new Error('connection refused'))
  const ai = await startAiApp({ generator: { ...idle, start } })
  const { status, json, headers } = await ai.post(PATH)
  expect([status, headers['retry-after']]).toEqual([503, '5'])
  expect(json).toEqual({ error: 'The generator is unavailable: connection refused' })
  await ai.close()
})
