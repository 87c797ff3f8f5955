import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import { providerFaults } from './providerProbe.ts'
import type { AliasProviders, Provider } from './providersFile.ts'

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
}

const answering = (status: number) => serving((_request, response) => void response.writeHead(status).end('{}'))

function aliasOf(name: string, baseUrl: string, changes: Partial<Provider> = {}): AliasProviders {
  const timeouts = { connectTimeoutMs: 1, firstByteTimeoutMs: 1, idleTimeoutMs: 1 }
  return { maxOutputTokens: 1, providers: [{ name, baseUrl, model: 'm', apiKey: 'secret', ...timeouts, ...changes }] }
}

test('providers that refuse their key, fail or cannot be reached are named; any other answer is fine', async () => {
  const table = {
    a: aliasOf('good', await answering(200)),
    b: aliasOf('without a list', await answering(404)),
    c: aliasOf('refusing', await answering(401)),
    d: aliasOf('broken', await answering(502)),
    e: aliasOf('closed', 'http://127.0.0.1:1/v1'),
  }
  expect(await providerFaults(table, systemClock)).toEqual([
    { provider: 'refusing', fault: 'refuses its key (401)' },
    { provider: 'broken', fault: 'answers 502' },
    { provider: 'closed', fault: 'cannot be reached (ECONNREFUSED)' },
  ])
})

test('each provider is asked once for its models, with its key in the header of its API', async () => {
  const requests: unknown[] = []
  const listener: RequestListener = ({ url, headers }, response) => {
    requests.push([url, headers.authorization ?? headers['x-api-key']])
    response.end('{}')
  }
  const url = await serving(listener)
  const messages = aliasOf('messages', await serving(listener), { wires: ['messages'] })
  await providerFaults({ a: aliasOf('one', url), b: aliasOf('one', url), c: messages }, systemClock)
  expect(requests.toSorted()).toEqual([
    ['/v1/models', 'Bearer secret'],
    ['/v1/models', 'secret'],
  ])
})
