import { afterAll, beforeAll, expect, test } from 'vitest'
import { halfSentRequests } from '../../test/support/callers/halfSentRequests.ts'
import { type MemoryGateway, startMemoryGateway } from '../../test/support/harness/memoryGateway.ts'
import { until } from '../../test/support/time/until.ts'
import { SMALL_JSON_BYTES_MAX } from './largeJson/largeJson.ts'

let gateway: MemoryGateway
beforeAll(async () => {
  gateway = await startMemoryGateway()
})
afterAll(() => gateway.close())

test.each([
  ['/llm/v1/chat/completions', 'application/json'],
  ['/llm/v1/parse/cv', 'multipart/form-data; boundary=b'],
])('%s of a company without credits is answered 402 before a large body is sent', async (path, type) => {
  const headers = [`authorization: Bearer ${gateway.mintKey({ credits: '0' })}`, `content-type: ${type}`]
  const large = Buffer.alloc(SMALL_JSON_BYTES_MAX + 1, ' ')
  const sent = halfSentRequests(gateway.url, 1, { path, headers, sent: large })
  try {
    await until('it is answered', () => sent.requests[0]?.status())
    expect(sent.answered(402)).toBe(1)
  } finally {
    sent.close()
  }
})
