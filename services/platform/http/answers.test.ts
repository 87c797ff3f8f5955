import { once } from 'node:events'
import type http from 'node:http'
import net from 'node:net'
import { expect, test } from 'vitest'
import { sendBytes } from './answers.ts'
import { listen } from './httpServer.ts'

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

test('a caller that reads its answer slowly gets all of it', async () => {
  const bytes = Buffer.alloc(8 * 1024 * 1024, 'x')
  const server = await listen({
    handler: (_request, response) => sendBytes(response, 200, 'text/plain', bytes, {}, STALL_MS),
    host: '127.0.0.1',
    port: 0,
    portSetting: 'AI_PORT',
  })
  const response = await fetch(server.url)
  let received = 0
  for await (const chunk of response.body ?? []) {
    received += chunk.length
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(received).toBe(bytes.length)
  await server.drain(100)
})
