import { expect, test } from 'vitest'
import { judgeFirstCalls } from './mintedKeysVerdict.ts'

const call = (status: number) => ({ status, ms: 3, gateway: 0 })

test('all first calls must be made and answered 200', () => {
  expect(judgeFirstCalls('embedded', [call(200), call(200)], 2)).toMatchObject({ passed: true })
  for (const status of [401, 503]) {
    const verdict = judgeFirstCalls('embedded', [call(200), call(status)], 2)
    expect(verdict).toMatchObject({ passed: false, detail: expect.stringContaining(`1 of 2 were answered ${status}`) })
  }
  expect(judgeFirstCalls('embedded', [call(200)], 2).passed).toBe(false)
})
