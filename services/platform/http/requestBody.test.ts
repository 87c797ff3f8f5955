import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { describe, expect, test, vi } from 'vitest'
import { ManualClock } from '../../../test/support/manualClock.ts'
import { systemClock } from '../clock/clock.ts'
import { DISCARDED_BODY_BYTES_MAX, DISCARDED_BODY_MS, discardBody, readBody } from './requestBody.ts'

type FakeRequest = PassThrough & { headers: Record<string, string>; complete: boolean }

function aRequest(headers: Record<string, string> = {}): FakeRequest {
  return Object.assign(new PassThrough(), { headers, complete: false })
}
const asRequest = (request: FakeRequest) => request as unknown as IncomingMessage

describe('reading a body', () => {
  test('returns its bytes, sent in one piece or several', async () => {
    const request = aRequest()
    const body = readBody(asRequest(request), 10)
    request.write('hello')
    request.end('world')
    expect((await body).toString()).toBe('helloworld')
  })

  test('stops at the limit; the rest is dropped', async () => {
    const request = aRequest()
    const body = readBody(asRequest(request), 10)
    request.write('x'.repeat(11))
    expect(await body).toBe('too large')
    for (let n = 0; n < 100; n++) request.write('x'.repeat(64 * 1024))
    request.end()
    await vi.waitFor(() => expect(request.readableEnded).toBe(true))
  })

  test('JSON beyond its limits is refused at the chunk that exceeds them, also after an unscanned beginning', async () => {
    for (const unscannedBytesMax of [0, 8]) {
      const request = aRequest()
      const body = readBody(asRequest(request), 1_000, { valuesMax: 4, unscannedBytesMax })
      request.write('[1,2,')
      request.write('3,4,5,')
      expect(await body).toBe('too many values')
    }
  })

  test('JSON within the unscanned size is returned, whatever it contains', async () => {
    const request = aRequest()
    const body = readBody(asRequest(request), 1_000, { valuesMax: 4, unscannedBytesMax: 100 })
    request.end('[1,2,3,4,5,6]')
    expect((await body).toString()).toBe('[1,2,3,4,5,6]')
  })

  test.each([
    ['its content-length is over the limit', { 'content-length': '11' }, 'too large'],
    ['it is compressed', { 'content-encoding': 'gzip' }, 'encoded'],
  ])('is not begun when %s', async (_, headers, fault) => {
    expect(await readBody(asRequest(aRequest(headers)), 10)).toBe(fault)
  })

  test('reports a caller that disconnected', async () => {
    const request = aRequest()
    const body = readBody(asRequest(request), 10)
    request.write('hal')
    request.destroy()
    expect(await body).toBe('aborted')
  })
})

describe('discarding the rest of a body', () => {
  test('ends with the body', async () => {
    const request = aRequest()
    const passed = discardBody(asRequest(request), systemClock)
    request.end('x'.repeat(1_000))
    expect(await passed).toBe(true)
  })

  test('returns at once when the body is complete or the caller has disconnected', async () => {
    expect(await discardBody(asRequest(Object.assign(aRequest(), { complete: true })), systemClock)).toBe(true)
    const request = aRequest()
    const passed = discardBody(asRequest(request), systemClock)
    request.destroy()
    expect(await passed).toBe(true)
  })

  test('gives up after DISCARDED_BODY_BYTES_MAX bytes', async () => {
    const request = aRequest()
    const passed = discardBody(asRequest(request), systemClock)
    const piece = Buffer.alloc(1024 * 1024)
    for (let bytes = 0; bytes <= DISCARDED_BODY_BYTES_MAX; bytes += piece.length) request.write(piece)
    expect(await passed).toBe(false)
  })

  test('gives up after DISCARDED_BODY_MS', async () => {
    const clock = new ManualClock()
    const passed = discardBody(asRequest(aRequest()), clock)
    await clock.advance(DISCARDED_BODY_MS)
    expect(await passed).toBe(false)
  })
})
