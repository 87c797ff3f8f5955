import { expect, test } from 'vitest'
import { startAiApp } from '../../../test/support/harness/aiApp.ts'

test('200 alive without a token and without a database', async () => {
  const ai = await startAiApp()
  const { status, json } = await ai.send('/health/live')
  expect([status, json]).toEqual([200, { status: 'alive' }])
  await ai.close()
})
