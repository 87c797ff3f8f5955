import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { memoryRateLimits } from '../../platform/sharedState/memorySharedState.ts'
import type { RateLimits } from '../../platform/sharedState/port.ts'
import { steppedClock } from '../../test/support/time/steppedClock.ts'
import { RateLimiter } from './rateLimiter.ts'
import type { LiveKey } from './views/keys.ts'

const KEY = { keyId: 'a-key', rpm: 10, tpm: 1_000 } as LiveKey
const START_MS = Date.UTC(2026, 0, 1, 12, 0, 50)

function shownBy(response: { headers: Map<string, string> }): (string | undefined)[] {
  return ['remaining', 'reset'].map((what) => response.headers.get(`x-ratelimit-${what}-tokens`))
}

function responseOf() {
  const headers = new Map<string, string>()
  const setHeader = (name: string, value: string) => void headers.set(name, value)
  return { headers, headersSent: false, setHeader }
}

/** Limits kept by another process, which answer asynchronously. */
function remote(limits: RateLimits): RateLimits {
  return {
    add: async (bucket, points) => limits.add(bucket, points),
    read: async (bucket) => limits.read(bucket),
  }
}

test.each([
  ['in this process', (limits: RateLimits) => limits],
  ['in another process', remote],
])('the headers of an answer include its own tokens, with limits kept %s', async (_, kept) => {
  const clock = steppedClock(START_MS)
  const limiter = new RateLimiter(kept(memoryRateLimits(clock)), clock, 0)
  const response = responseOf()
  const shown = await limiter.admitTokens(KEY, response as unknown as ServerResponse)
  expect(shownBy(response)).toEqual(['1000', '10s'])
  const counted = limiter.countTokens(KEY.keyId, 400, shown)
  expect(shownBy(response)).toEqual(['600', '10s'])
  await counted

  // The call ends in the next minute, whose window has only its tokens.
  clock.advance(15_000)
  const counting = limiter.countTokens(KEY.keyId, 100, shown)
  expect(shownBy(response)).toEqual(['900', '55s'])
  await counting

  response.headersSent = true
  await limiter.countTokens(KEY.keyId, 100, shown)
  expect(shownBy(response)).toEqual(['900', '55s'])
})
