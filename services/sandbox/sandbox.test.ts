import { request } from 'node:http'
import net from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../test/support/harness/gatewayClient.ts'
import { startTestSandbox } from '../../test/support/harness/sandbox.ts'

const TOKEN = 'internal-token-of-the-tests'
let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
let url: string

beforeAll(async () => {
  sandbox = await startTestSandbox({ internalToken: TOKEN })
  url = sandbox.url
})
afterAll(() => sandbox.close())

test('/health is public, /metrics needs the internal token', async () => {
  expect((await call(url, '/health')).json).toEqual({ status: 'healthy' })
  expect((await call(url, '/metrics')).status).toBe(401)
  expect((await call(url, '/metrics', { key: TOKEN })).status).toBe(200)
})

test('an unknown path is 404: JSON for programs, a page for browsers', async () => {
  const json = await call(url, '/nothing')
  expect([json.status, json.json]).toEqual([404, { error: 'there is no route GET /nothing' }])
  const page = await call(url, '/nothing', { headers: { accept: 'text/html' } })
  expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
})

test.each(['/v1/models', '/v1/chat/nothing', '/v1/completions'])(
  'GET %s is 404 in the envelope of a model provider, although the payment API has the same root',
  async (path) => {
    const { status, json } = await call(url, path, { key: 'a key of no payment provider' })
    expect(status).toBe(404)
    expect(json.error).toMatchObject({ message: expect.stringMatching(/^sandbox: /), code: null })
  },
)

test.each([
  ['GET', '/v1/products'],
  ['POST', '/v1/customers'],
  ['GET', '/v1/nothing'],
  ['POST', '/v1/chat/completions'],
  ['POST', '/v1/completions'],
  ['POST', '/v1/embeddings'],
  ['GET', '/v1/models'],
  ['GET', '/'],
])('%s %s refuses pages of other origins and names that only resolve to loopback', async (method, path) => {
  const { port } = new URL(url)
  const ask = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { authorization: 'Bearer sk_test_x', ...headers },
      }
      request(options, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end()
    })
  expect(await ask({ host: 'rebound.example' })).toBe(403)
  expect(await ask({ host: `rebound.example:${port}` })).toBe(403)
  expect(await ask({ origin: 'http://elsewhere.example' })).toBe(403)
  expect(await ask({ origin: 'null' })).toBe(403)
  expect(await ask({})).not.toBe(403)
  expect(await ask({ origin: url })).not.toBe(403)
})

test('listens on loopback only, even if HOST is 0.0.0.0', async () => {
  const open = await startTestSandbox({ settings: { HOST: '0.0.0.0', SANDBOX: '1' } })
  try {
    expect((await call(open.url, '/health')).status).toBe(200)
    // Another loopback address, at which a socket on all addresses would answer.
    for (const url of [open.url, open.smtpUrl]) await expect(reached('127.0.0.2', new URL(url).port)).rejects.toThrow()
  } finally {
    await open.close()
  }
})

function reached(host: string, port: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), host, () => resolve(void socket.destroy()))
    socket.once('error', reject)
  })
}
