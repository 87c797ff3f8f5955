import { once } from 'node:events'
import type http from 'node:http'
import net from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { listen } from '../httpServer.ts'
import { sendBytes } from './answers.ts'

const STALL_MS = 200

test('the connection of a caller that reads none of its answer is closed, so that the answer does not stay in memory', async () => {
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

// The reader shares this process's time: on a busy machine it may itself stall once.
test('a caller that reads its answer slowly gets all of it', { retry: 2 }, async () => {
  const [stallMs, chunkMs] = [1_000, 40]
  const bytes = Buffer.alloc(8 * 1024 * 1024, 'x')
  const server = await listen({
    handler: (_request, response) => sendBytes(response, 200, 'text/plain', bytes, {}, stallMs),
    host: '127.0.0.1',
    port: 0,
    portSetting: 'AI_PORT',
  })
  const response = await fetch(server.url)
  const beganAt = performance.now()
  let received = 0
  for await (const chunk of response.body ?? []) {
    received += chunk.length
    await wait(chunkMs)
  }
  expect(received).toBe(bytes.length)
  expect(performance.now() - beganAt).toBeGreaterThan(stallMs)
  await server.drain(100)
})
