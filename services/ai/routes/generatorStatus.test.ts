import { expect, test } from 'vitest'
import { STOPPED, startAiApp } from '../../../test/support/harness/aiApp.ts'

const PATH = '/api/v1/background-tasks/match-score-generator/status'
const figures = async () => STOPPED
const idle = { start: figures, stop: figures, figures }

test('200 with the status', async () => {
  const figures = async () => ({ ...STOPPED, status: 'processing' as const, uptimeSeconds: 7, batch: 3, queueSize: 9 })
  const ai = await startAiApp({ generator: { ...idle, figures } })
  const { status, json } = await ai.get(PATH)
  expect([status, json]).toEqual([200, { status: 'processing', uptime_seconds: 7, current_batch: 3, queue_size: 9 }])
  await ai.close()
})

test('401 without the internal token', async () => {
  const ai = await startAiApp()
  expect((await ai.send(PATH, { method: 'GET' })).status).toBe(401)
  await ai.close()
})

test('503 with retry-after while the database or the event store does not answer', async () => {
  const figures = () => Promise.reject(new Error('connection refused'))
  const ai = await startAiApp({ generator: { ...idle, figures } })
  const { status, json, headers } = await ai.get(PATH)
  expect([status, headers['retry-after']]).toEqual([503, '5'])
  expect(json).toEqual({ error: 'The generator is unavailable: connection refused' })
  await ai.close()
})
