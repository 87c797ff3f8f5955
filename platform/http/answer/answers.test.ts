import { once } from 'node:events'
import type http from 'node:http'
import net from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { until } from '../../../test/support/time/until.ts'
import { listen } from '../httpServer.ts'
import { sendBytes } from './answers.ts'

const STALL_MS = 200

test('the connection of a caller that reads none of its answer is closed, which frees the memory', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<http.ServerResponse>()
  const server = await listen({
    handler: (_request, response) => {
      sendBytes(response, 200, 'text/plain', Buffer.alloc(32 * 1024 * 1024), {}, STALL_MS)
      answer(response)
    },
    host: '127.0.0.1',
    port: 0,
    portSetting: 'AI_PORT',
  })
  const { hostname, port } = new URL(server.url)
  const caller = net.connect(Number(port), hostname)
  caller.pause()
  caller.on('error', () => {})
  caller.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const response = await answered
  await once(response, 'close')
  expect(response.writableFinished).toBe(false)
  caller.destroy()
  await server.drain(100)
})

test('a caller that reads its answer slowly gets all of it', async () => {
  const [stallMs, chunkMs] = [1_000, 40]
  const bytes = Buffer.alloc(8 * 1024 * 1024, 'x')
  const server = await listen({
    handler: (_request, response) => sendBytes(response, 200, 'text/plain', bytes, {}, stallMs),
    host: '127.0.0.1',
    port: 0,
    portSetting: 'AI_PORT',
  })
  // The caller reads in this process. If that stood still for too long, the caller did too and was rightly cut.
  await until('the caller has read without a long pause', async () => {
    const { received, tookMs, longestPauseMs } = await readSlowly(server.url, chunkMs)
    if (received < bytes.length && longestPauseMs > stallMs / 2) return false
    expect(received).toBe(bytes.length)
    expect(tookMs).toBeGreaterThan(stallMs)
    return true
  })
  await server.drain(100)
})

async function readSlowly(url: string, chunkMs: number) {
  const beganMs = performance.now()
  let pausedAtMs = beganMs
  let longestPauseMs = 0
  let received = 0
  const pause = () => {
    const nowMs = performance.now()
    longestPauseMs = Math.max(longestPauseMs, nowMs - pausedAtMs)
    pausedAtMs = nowMs
  }
  try {
    const { body } = await fetch(url)
    for await (const chunk of body ?? []) {
      received += chunk.length
      await wait(chunkMs)
      pause()
    }
  } catch {
    // The connection was cut; what has been received shows it.
    pause()
  }
  return { received, tookMs: performance.now() - beganMs, longestPauseMs }
}
