import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runScript } from '../support/processes/runScript.ts'

let server: http.Server
let base: string
beforeAll(async () => {
  server = http.createServer((request, response) => {
    response.writeHead(request.url === '/health' ? 200 : 404).end('{"status":"degraded"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

test('npm run verify reports that a service is up, and its attempts on standard error', async () => {
  expect(await runScript('verify.ts', [`${base}/`], {})).toEqual({
    code: 0,
    stdout: `${base}/health is up: status 200, degraded\n`,
    stderr: 'attempt 1 of 20: status 200, degraded\n',
  })
  const { stdout } = await runScript('verify.ts', [base, '--json'], {})
  const facts = { healthy: true, attempts: 1, status: 200, health: 'degraded', fault: null }
  expect(JSON.parse(stdout)).toEqual({ url: `${base}/health`, ...facts })
})

test('npm run verify asks a service without a health route whether it is ready', async () => {
  const gateway = http.createServer((request, response) => {
    const isReady = request.url === '/readyz'
    response.writeHead(isReady ? 200 : 401).end(isReady ? '{"status":"ok"}' : '')
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void gateway.close())
  const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
  expect(await runScript('verify.ts', [url], {})).toMatchObject({
    code: 0,
    stdout: `${url}/readyz is up: status 200, ok\n`,
    stderr: 'attempt 1 of 20: status 200, ok\n',
  })
})

test('npm run verify waits for a service that is healthy and does not accept requests yet', async () => {
  let probes = 0
  const service = http.createServer((request, response) => {
    const isReady = request.url !== '/readyz' || ++probes > 1
    response.writeHead(isReady ? 200 : 503).end(JSON.stringify({ status: isReady ? 'healthy' : 'draining' }))
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void service.close())
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  expect(await runScript('verify.ts', [url], {})).toEqual({
    code: 0,
    stdout: `${url}/health is up: status 200, healthy\n`,
    stderr: 'attempt 1 of 20: status 503, draining\nattempt 2 of 20: status 200, healthy\n',
  })
  expect(await runScript('verify.ts', [`${url}/livez`], {})).toMatchObject({
    code: 0,
    stdout: `${url}/livez is up: status 200, healthy\n`,
  })
})

test.each([[[]], [['ftp://x']], [['nonsense']], [['http://a', 'http://b']], [['http://a', '--nonsense']]])(
  'npm run verify %j is wrong usage',
  async (args) => {
    const { code, stdout, stderr } = await runScript('verify.ts', args, {})
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('usage: npm run verify -- <url>')
  },
)

test('npm run verify --help explains itself', async () => {
  const { code, stdout } = await runScript('verify.ts', ['--help'], {})
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('at most 20') })
})
