import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ScriptedProvider, stalled, startScriptedProvider, whole } from '../../../test/support/scriptedProvider.ts'
import { until } from '../../../test/support/until.ts'
import { ProviderUnreachable } from './answerReceiver.ts'
import { ProviderClient } from './providerClient.ts'
import type { Provider } from './providersFile.ts'

let provider: ScriptedProvider
let client: ProviderClient

beforeEach(async () => {
  provider = await startScriptedProvider()
  client = new ProviderClient()
})
afterEach(async () => {
  await client.close()
  await provider.close()
})

const at = (changes: Partial<Provider> = {}): Provider => ({
  name: 'vendor',
  baseUrl: provider.baseUrl,
  model: 'v-1',
  apiKey: null,
  connectTimeoutMs: 1_000,
  firstByteTimeoutMs: 300,
  idleTimeoutMs: 300,
  ...changes,
})
const send = (to: Provider) => client.send(to, { path: '/chat/completions', body: Buffer.from('{}'), callId: 'call-1' })
const ask = (to: Provider) => send(to).answered

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('a call to a provider', () => {
  test('answers with status, type, retry-after and the bytes', async () => {
    provider.next(whole('[1.0]', { status: 429, headers: { 'retry-after': '7', 'x-other': 'y' } }))
    const { body, ...answer } = await ask(at())
    expect(answer).toEqual({ status: 429, contentType: 'application/json', retryAfter: '7' })
    expect(await textOf(body)).toBe('[1.0]')
  })

  test('takes the first of a header that is sent twice', async () => {
    provider.next((response) => {
      response.writeHead(200, [
        'content-type',
        'application/json',
        'content-type',
        'text/html',
        'retry-after',
        '1',
        'retry-after',
        '2',
      ])
      response.end('{}')
    })
    const { body, ...answer } = await ask(at())
    expect(answer).toEqual({ status: 200, contentType: 'application/json', retryAfter: '1' })
    await textOf(body)
  })

  test('waits for the answer behind an early hint', async () => {
    provider.next((response, call) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      return whole('{}')(response, call)
    })
    const { status, body } = await ask(at())
    expect(status).toBe(200)
    expect(await textOf(body)).toBe('{}')
  })

  test.each([
    ['/v1', '/v1/chat/completions'],
    ['/v1/', '/v1/chat/completions'],
    ['', '/chat/completions'],
    ['/', '/chat/completions'],
    ['/deep/er/v1', '/deep/er/v1/chat/completions'],
  ])('goes below a base that ends in %j', async (path, expected) => {
    const origin = new URL(provider.baseUrl).origin
    await textOf((await ask(at({ baseUrl: `${origin}${path}` }))).body)
    expect(provider.lastCall().path).toBe(expected)
  })

  test('has a key only where the provider has one', async () => {
    await textOf((await ask(at())).body)
    expect(provider.lastCall().headers.authorization).toBeUndefined()
    await textOf((await ask(at({ apiKey: 'k' }))).body)
    expect(provider.lastCall().headers.authorization).toBe('Bearer k')
  })

  test('uses connections again', async () => {
    const ports = new Set<number | undefined>()
    provider.always((response, call) => {
      ports.add(response.socket?.remotePort)
      return whole('{}')(response, call)
    })
    for (let n = 0; n < 20; n++) await textOf((await ask(at())).body)
    expect(ports.size).toBeLessThanOrEqual(2)
  })

  test('is unreachable when nobody answers: refused, silent, broken off', async () => {
    await expect(ask(at({ baseUrl: 'http://127.0.0.1:1' }))).rejects.toBeInstanceOf(ProviderUnreachable)
    provider.next(stalled(), (response) => void response.destroy())
    await expect(ask(at())).rejects.toBeInstanceOf(ProviderUnreachable)
    await expect(ask(at())).rejects.toBeInstanceOf(ProviderUnreachable)
  })

  test('ends at the provider when it is given up, before and in the middle of the answer', async () => {
    provider.next(stalled())
    const waiting = send(at())
    await until('the call has arrived', () => provider.calls.length === 1)
    expect(waiting.givenUp).toBe(false)
    waiting.giveUp()
    expect(waiting.givenUp).toBe(true)
    await expect(waiting.answered).rejects.toBeInstanceOf(ProviderUnreachable)
    await until('the provider is let go', () => provider.lastCall().closed)

    provider.next((response) => void response.writeHead(200).write('half'))
    const begun = send(at())
    const { body } = await begun.answered
    begun.giveUp()
    await expect(textOf(body)).rejects.toThrow()
    await until('the provider is let go', () => provider.lastCall().closed)
  })

  test('ends at the provider when the reader leaves', async () => {
    provider.next((response) => void response.writeHead(200).write('half'))
    const { body } = await ask(at())
    for await (const _ of body) break
    await until('the provider is let go', () => provider.lastCall().closed)
  })

  test('does not outlive the client', async () => {
    provider.next((response) => void response.writeHead(200).write('half'))
    const { body } = await ask(at({ idleTimeoutMs: 60_000 }))
    const read = textOf(body).catch((error: unknown) => error)
    await client.close()
    expect(await read).toBeInstanceOf(Error)
  })
})
