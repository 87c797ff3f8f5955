import { once } from 'node:events'
import http, { type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { tracedHttpClient } from './tracedHttpClient.ts'

const BODY = JSON.stringify({ id: 'sub_1', status: 'active' })

let server: http.Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** The answer of a provider that writes like this. */
async function answered(write: (response: ServerResponse) => void, timeoutMs = 60_000): Promise<object> {
  server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': BODY.length })
    write(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const path = '/v1/subscriptions/sub_1'
  const answer = await tracedHttpClient().makeRequest('127.0.0.1', port, path, 'GET', {}, '', 'http', timeoutMs)
  return answer.toJSON()
}

test('an answer of the payment provider is read', async () => {
  expect(await answered((response) => response.end(BODY))).toEqual(JSON.parse(BODY))
})

test('an answer that breaks off in its body fails', async () => {
  const halved = (response: ServerResponse) => {
    response.write(BODY.slice(0, 9), () => response.destroy())
  }
  await expect(answered(halved)).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('an answer that stops in its body fails after the time-out', async () => {
  const stalled = (response: ServerResponse) => {
    response.write(BODY.slice(0, 9))
  }
  await expect(answered(stalled, 50)).rejects.toThrow()
})
