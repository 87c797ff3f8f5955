import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { systemClock } from '../clock/clock.ts'
import { LINGER_BYTES_MAX, LINGER_BYTES_PER_SECOND, LINGER_MS, LINGERING_MAX, Lingering } from './lingering.ts'

const aRequest = (complete = false) => Object.assign(new PassThrough(), { complete })
const asRequest = (request: PassThrough) => request as unknown as IncomingMessage

test('lingering ends with the body', async () => {
  const request = aRequest()
  const sent = new Lingering(systemClock).untilSent(asRequest(request))
  request.end('x'.repeat(1_000))
  expect(await sent).toBe(true)
})

test('there is nothing to wait for when the body is complete or the caller has disconnected', async () => {
  const lingering = new Lingering(systemClock)
  expect(await lingering.untilSent(asRequest(aRequest(true)))).toBe(true)
  const request = aRequest()
  const sent = lingering.untilSent(asRequest(request))
  request.destroy()
  expect(await sent).toBe(true)
  expect(lingering.count).toBe(0)
})

test('an endless body is cut off after LINGER_BYTES_MAX bytes', async () => {
  const request = aRequest()
  const sent = new Lingering(systemClock).untilSent(asRequest(request))
  const piece = Buffer.alloc(1024 * 1024)
  for (let bytes = 0; bytes <= LINGER_BYTES_MAX; bytes += piece.length) request.write(piece)
  expect(await sent).toBe(false)
})

test('all bodies together are read at a limited pace', async () => {
  const clock = new ManualClock()
  const lingering = new Lingering(clock)
  const requests = Array.from({ length: 200 }, () => aRequest())
  for (const request of requests) void lingering.untilSent(asRequest(request))
  let read = 0
  const send = () => {
    for (const request of requests) {
      if (request.isPaused()) continue
      request.write(Buffer.alloc(64 * 1024))
      read += 64 * 1024
    }
  }
  for (let ms = 0; ms < 1_000; ms += 10) {
    for (let n = 0; n < 10; n++) send()
    await clock.advance(10)
  }
  expect(read).toBeGreaterThan(LINGER_BYTES_PER_SECOND / 2)
  // Each of them may have one piece on its way when it is paused.
  expect(read).toBeLessThan(1.5 * LINGER_BYTES_PER_SECOND)
})

test('a body that is sent byte by byte is cut off long before', async () => {
  const request = aRequest()
  const sent = new Lingering(systemClock).untilSent(asRequest(request))
  for (let n = 0; n < 11_000; n++) request.write('x')
  expect(await sent).toBe(false)
})

test('a half-sent body is cut off after LINGER_MS', async () => {
  const clock = new ManualClock()
  const sent = new Lingering(clock).untilSent(asRequest(aRequest()))
  await clock.advance(LINGER_MS)
  expect(await sent).toBe(false)
})

test('beyond LINGERING_MAX connections, the one that has lingered longest is cut off', async () => {
  const lingering = new Lingering(new ManualClock())
  const [first] = Array.from({ length: LINGERING_MAX + 1 }, () => lingering.untilSent(asRequest(aRequest())))
  expect(await first).toBe(false)
  expect(lingering.count).toBe(LINGERING_MAX)
})
