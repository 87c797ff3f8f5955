import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { forwardingLog } from '../../platform/logger/logger.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import type { GatewayDependencies } from './dependencies.ts'
import { GatewayError } from './gatewayError.ts'
import { refusalLines } from './refusalLines.ts'

const KEY = { keyId: 'key-1', companyId: 'company-1' }

test('ten refusals per second are logged with their callers, and the next line says how many were left out', async () => {
  const clock = new ManualClock()
  const lines: string[] = []
  const log = forwardingLog('info', (line) => lines.push(line), clock)
  const views = { keys: { find: () => KEY } } as unknown as GatewayDependencies['views']
  const logRefusal = refusalLines({ log, clock, views })
  const headers = { authorization: 'Bearer tg_the-raw-key' }
  const request = { method: 'POST', url: '/llm/v1/chat/completions?secret=1', headers } as unknown as IncomingMessage
  const refuse = () => logRefusal(new GatewayError('insufficientCredits', 'The balance is used up.'), 'call-1', request)
  for (let n = 0; n < 25; n++) refuse()
  await clock.advance(1_000)
  refuse()
  const logged = lines.map((line) => JSON.parse(line))
  expect(logged).toHaveLength(11)
  expect(logged[0]).toMatchObject({
    ...{ level: 30, msg: 'request refused', callId: 'call-1', companyId: 'company-1', keyId: 'key-1' },
    ...{ method: 'POST', path: '/llm/v1/chat/completions', status: 402, code: 'INSUFFICIENT_CREDITS' },
  })
  expect(logged.map(({ omitted }) => omitted).filter(Boolean)).toEqual([15])
  expect(lines.join()).not.toContain('the-raw-key')
})
