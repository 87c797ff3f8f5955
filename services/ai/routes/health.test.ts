import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AiApp, startAiApp } from '../../../test/support/harness/aiApp.ts'

let ai: AiApp
beforeAll(async () => {
  ai = await startAiApp()
})
afterAll(() => ai.close())

test('200 healthy without a token and without a database', async () => {
  const { status, json } = await ai.send('/health')
  expect([status, json]).toEqual([200, { status: 'healthy' }])
})

test('400 for a query parameter', async () => {
  expect((await ai.send('/health?form=flat')).status).toBe(400)
})

test('404 for another method and for a trailing slash', async () => {
  expect((await ai.send('/health', { method: 'POST' })).status).toBe(404)
  expect((await ai.send('/health/')).status).toBe(404)
})
