import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import {
  type Script,
  type ScriptedProvider,
  stalled,
  startScriptedProvider,
  streamed,
  streamedThenCut,
  whole,
} from '../../test/support/parties/scriptedProvider.ts'
import { jumpingClock } from '../../test/support/time/jumpingClock.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { until } from '../../test/support/time/until.ts'
import type { SentCall } from './answerReceiver.ts'
import { ProviderClient } from './providerClient.ts'
import { PROVIDER_CALLS_WAITING_MAX, PROVIDER_CONNECTIONS_MAX } from './providerPool.ts'
import type { Provider, ProviderTable } from './providersFile.ts'
import { ProviderUnreachable } from './providerUnreachable.ts'

let provider: ScriptedProvider
let client: ProviderClient

beforeEach(async () => {
  provider = await startScriptedProvider()
  client = new ProviderClient({ clock: systemClock })
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
  connectTimeoutMs: 20_000,
  firstByteTimeoutMs: 20_000,
  idleTimeoutMs: 20_000,
  ...changes,
})
const tableOf = (...providers: Provider[]): ProviderTable => ({
  'svc/chat-default': { maxOutputTokens: 1, providers: providers as [Provider, ...Provider[]] },
})
const send = (to: Provider, companyId?: string) =>
  client.send(to, { path: '/chat/completions', body: Buffer.from('{}'), callId: 'call-1', companyId })
const ask = (to: Provider, companyId?: string) => send(to, companyId).answered

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

  test('takes the first value of a repeated header', async () => {
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

  test('skips early hints and waits for the answer', async () => {
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
  ])('appends its path to a base path %j', async (path, expected) => {
    const origin = new URL(provider.baseUrl).origin
    await textOf((await ask(at({ baseUrl: `${origin}${path}` }))).body)
    expect(provider.lastCall().path).toBe(expected)
  })

  test('has an authorization header only if the provider has a key', async () => {
    await textOf((await ask(at())).body)
    expect(provider.lastCall().headers.authorization).toBeUndefined()
    await textOf((await ask(at({ apiKey: 'k' }))).body)
    expect(provider.lastCall().headers.authorization).toBe('Bearer k')
  })

  test('reuses connections', async () => {
    const ports = new Set<number | undefined>()
    provider.always((response, call) => {
      ports.add(response.socket?.remotePort)
      return whole('{}')(response, call)
    })
    for (let n = 0; n < 20; n++) await textOf((await ask(at())).body)
    expect(ports.size).toBeLessThanOrEqual(2)
  })

  test('is unreachable when the connection is refused, times out or breaks off', async () => {
    await expect(ask(at({ baseUrl: 'http://127.0.0.1:1' }))).rejects.toBeInstanceOf(ProviderUnreachable)
    provider.next(stalled(), (response) => void response.destroy())
    await expect(ask(at({ firstByteTimeoutMs: 300 }))).rejects.toBeInstanceOf(ProviderUnreachable)
    await expect(ask(at())).rejects.toBeInstanceOf(ProviderUnreachable)
  })

  test('is cut at the provider when the caller gives up, before and during the answer', async () => {
    provider.next(stalled())
    const waiting = send(at())
    await until('the call has arrived', () => provider.calls.length === 1)
    expect(waiting.givenUp).toBe(false)
    waiting.giveUp()
    expect(waiting.givenUp).toBe(true)
    await expect(waiting.answered).rejects.toBeInstanceOf(ProviderUnreachable)
    await until('the connection is cut', () => provider.lastCall().closed)

    provider.next((response) => void response.writeHead(200).write('half'))
    const begun = send(at())
    const { body } = await begun.answered
    begun.giveUp()
    await expect(textOf(body)).rejects.toThrow()
    await until('the connection is cut', () => provider.lastCall().closed)
  })

  test('is cut at the provider when the reader leaves the loop', async () => {
    provider.next((response) => void response.writeHead(200).write('half'))
    const { body } = await ask(at())
    for await (const _ of body) break
    await until('the connection is cut', () => provider.lastCall().closed)
  })

  test('ends when the client is closed', async () => {
    provider.next((response) => void response.writeHead(200).write('half'))
    const { body } = await ask(at({ idleTimeoutMs: 60_000 }))
    const read = textOf(body).catch((error: unknown) => error)
    await client.close()
    expect(await read).toBeInstanceOf(Error)
  })
})

describe('the circuit breaker of a provider', () => {
  const fails: [string, number, (to: ScriptedProvider) => void][] = [
    ['a 500', 5, (to) => to.always(whole('{}', { status: 500 }))],
    ['a 408', 5, (to) => to.always(whole('{}', { status: 408 }))],
    ['a broken connection', 5, (to) => to.always((response) => void response.destroy())],
    ['an answer that breaks off', 5, (to) => to.always(streamedThenCut('half'))],
    ['a complete answer', 20, (to) => to.always(whole('{}'))],
    ['a 400', 20, (to) => to.always(whole('{}', { status: 400 }))],
    ['a 401', 5, (to) => to.always(whole('{}', { status: 401 }))],
    ['a 402', 5, (to) => to.always(whole('{}', { status: 402 }))],
    ['a 403', 5, (to) => to.always(whole('{}', { status: 403 }))],
    ['a 404', 20, (to) => to.always(whole('{}', { status: 404 }))],
    ['a 429', 20, (to) => to.always(whole('{}', { status: 429 }))],
  ]
  test.each(fails)('after %s, %d of 20 calls reach the provider', async (_, callsMade, script) => {
    script(provider)
    for (let n = 0; n < 20; n++) {
      const { body } = await ask(at()).catch(() => ({ body: null }))
      await body?.whole(100).catch(() => {})
    }
    expect(provider.calls).toHaveLength(callsMade)
  })

  /**
   * Lets one company's calls fail, after another company had an answer; says whether the other is then still served. Only
   * the calls that fail have the changed limits, so that a slow answer to the other is not taken for a failure.
   */
  const others = async (script: Script, limits: Partial<Provider> = {}): Promise<'served' | 'stopped'> => {
    client = new ProviderClient({ clock: new ManualClock(), breakerCooldownMs: 8_000 })
    provider.always(whole('{}'))
    await (await ask(at(), 'other')).body.whole(100)
    provider.always(script)
    for (let n = 0; n < 5; n++) {
      const { body } = await ask(at(limits), 'acme').catch(() => ({ body: null }))
      await body?.whole(100).catch(() => {})
    }
    await expect(ask(at(), 'acme')).rejects.toMatchObject({ reason: 'provider_resting', retryAfterMs: 8_000 })
    provider.always(whole('{}'))
    return ask(at(), 'other').then(
      () => 'served',
      () => 'stopped',
    )
  }

  test.each<[string, Script]>([
    ['a 500', whole('{}', { status: 500 })],
    ['a 403', whole('{}', { status: 403 })],
    ['a 408', whole('{}', { status: 408 })],
    ['a connection that breaks', (response) => void response.destroy()],
    ['an answer that breaks off', streamedThenCut('half')],
  ])('stops only the company whose calls get %s', async (_, script) => {
    expect(await others(script)).toBe('served')
  })

  test('stops only the company whose calls time out', async () => {
    expect(await others(stalled(), { firstByteTimeoutMs: 50 })).toBe('served')
  })

  test.each([401, 402])('stops all companies after five answers with %i', async (status) => {
    expect(await others(whole('{}', { status }))).toBe('stopped')
  })

  test.each<[string, () => string]>([
    ['refused connections', () => 'http://127.0.0.1:1/v1'],
    ['failed TLS handshakes', () => provider.baseUrl.replace('http:', 'https:')],
  ])('stops all companies after five %s', async (_, baseUrl) => {
    const gone = at({ baseUrl: baseUrl() })
    for (const company of ['other', 'acme', 'acme', 'acme', 'acme']) {
      await expect(ask(gone, company)).rejects.toMatchObject({ reason: 'provider_unreachable' })
    }
    await expect(ask(gone, 'newcomer')).rejects.toMatchObject({ reason: 'provider_resting' })
  })

  test('stops all companies after five connections that were not established in time', async () => {
    const clock = jumpingClock()
    client = new ProviderClient({ clock })
    const silent = createServer((socket) => void socket.on('error', () => {}))
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    // The TLS handshake is never answered.
    const slow = at({ baseUrl: `https://127.0.0.1:${(silent.address() as AddressInfo).port}/v1` })
    const companies = ['other', 'acme', 'acme', 'acme', 'acme']
    const failures = companies.map((company) => ask(slow, company).catch((error: unknown) => error))
    clock.jump(slow.connectTimeoutMs)
    const unreachable = expect.objectContaining({ reason: 'provider_unreachable' })
    expect(await Promise.all(failures)).toEqual(companies.map(() => unreachable))
    await expect(ask(slow, 'newcomer')).rejects.toMatchObject({ reason: 'provider_resting' })
    silent.close()
  })

  test.each(['complete', 'begun'])(
    'stops no other company when the usage of a %s answer is beyond its bound',
    async (part) => {
      const { promise: mayEnd, resolve: letEnd } = Promise.withResolvers<void>()
      if (part === 'begun') provider.always(streamed('half', mayEnd))
      for (const company of ['acme', 'second', 'third']) {
        for (let n = 0; n < 5; n++) {
          const sent = send(at(), company)
          const { body } = await sent.answered
          if (part === 'complete') await body.whole(100)
          sent.disprove()
        }
        await expect(ask(at(), company)).rejects.toMatchObject({ reason: 'provider_resting' })
      }
      letEnd()
      expect((await ask(at(), 'other')).status).toBe(200)
    },
  )

  test.each<[string, () => Partial<Provider>]>([
    ['model', () => ({ model: 'v-2' })],
    ['key', () => ({ apiKey: 'another' })],
    ['address', () => ({ baseUrl: `${provider.baseUrl}/another` })],
  ])('opens for one %s of a provider and not for another', async (_, another) => {
    provider.always(whole('{}', { status: 500 }))
    for (let n = 0; n < 5; n++) await (await ask(at())).body.whole(100)
    await expect(ask(at())).rejects.toMatchObject({ reason: 'provider_resting' })
    expect((await ask(at(another()))).status).toBe(500)
  })

  test('opens for all aliases with the model, reports the cool-down, and lets one probe through afterwards', async () => {
    const clock = new ManualClock()
    const changes: string[] = []
    client = new ProviderClient({
      clock,
      breakerCooldownMs: 8_000,
      onBreaker: ({ provider: name, model, companyId, state }) =>
        companyId === undefined && changes.push(`${name} ${model} ${state}`),
    })
    provider.always(whole('{}', { status: 503 }))
    const aliases = [at(), at({ weight: 2 })]
    client.use(tableOf(...aliases))
    expect(client.breakerStates()).toEqual(new Map([['vendor', 'closed']]))
    for (let n = 0; n < 5; n++) await (await ask(aliases[n % 2] as Provider)).body.whole(100)
    await clock.advance(1_000)
    for (const alias of aliases) {
      await expect(ask(alias)).rejects.toMatchObject({ reason: 'provider_resting', retryAfterMs: 7_000 })
    }
    // A provider with another name has its own breaker, even at the same address.
    await ask(at({ name: 'other' }))
    expect(client.breakerStates()).toEqual(new Map([['vendor', 'open'], ['other', 'closed']])) // biome-ignore format: one line
    expect(provider.calls).toHaveLength(6)

    await clock.advance(7_000)
    expect(client.breakerStates().get('vendor')).toBe('half-open')
    const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>()
    provider.always(async (response, call) => {
      await mayAnswer
      return whole('{}')(response, call)
    })
    const probe = ask(at())
    await until('the probe has reached the provider', () => provider.calls.length === 7)
    await expect(ask(at())).rejects.toMatchObject({ reason: 'provider_resting', retryAfterMs: 0 })
    letAnswer()
    await (await probe).body.whole(100)
    expect(client.breakerStates().get('vendor')).toBe('closed')
    expect(changes).toEqual(['vendor v-1 open', 'vendor v-1 closed'])
  })

  test('does not count a call that its caller gives up', async () => {
    provider.always(stalled())
    for (let n = 1; n <= 10; n++) {
      const sent = send(at({ firstByteTimeoutMs: 10_000 }))
      await until('the call has arrived', () => provider.calls.length === n)
      sent.giveUp()
      await expect(sent.answered).rejects.toMatchObject({ reason: 'provider_unreachable' })
    }
    expect(client.breakerStates()).toEqual(new Map([['vendor', 'closed']]))
  })

  test('lets another probe through after one that was given up before it was sent', async () => {
    const clock = new ManualClock()
    client = new ProviderClient({ clock, breakerCooldownMs: 1_000 })
    provider.always(whole('{}', { status: 503 }))
    for (let n = 0; n < 5; n++) await (await ask(at())).body.whole(100)
    await clock.advance(1_000)
    const probe = send(at())
    probe.giveUp()
    await expect(probe.answered).rejects.toMatchObject({ reason: 'provider_unreachable' })
    provider.always(whole('{}'))
    expect((await ask(at())).status).toBe(200)
  })
})

describe('more calls than connections', () => {
  /** One company's share of all connections and waiting places, if it asks for everything. */
  const connectionsOfOne = PROVIDER_CONNECTIONS_MAX / 2
  const waitingOfOne = PROVIDER_CALLS_WAITING_MAX / 2
  const slow = () => at({ connectTimeoutMs: 60_000, firstByteTimeoutMs: 60_000 })
  const sendMany = (count: number, companyId: string) => Array.from({ length: count }, () => send(slow(), companyId))
  const failuresOf = (calls: readonly SentCall[]) =>
    calls.map(({ answered }) => answered.catch((error: unknown) => error))

  test('of one company wait for a limited time, and beyond that are refused at once', async () => {
    const clock = jumpingClock()
    client = new ProviderClient({ clock })
    provider.always(stalled())
    const calls = sendMany(connectionsOfOne + waitingOfOne, 'acme')
    const failures = failuresOf(calls)
    await until('its connections are in use', () => provider.calls.length === connectionsOfOne)
    await expect(ask(slow(), 'acme')).rejects.toMatchObject({ reason: 'provider_busy', retryAfterMs: 1_000 })
    clock.jump(60_000)
    expect(await Promise.all(failures.slice(connectionsOfOne))).toEqual(
      Array.from({ length: waitingOfOne }, () => expect.objectContaining({ reason: 'provider_busy' })),
    )
    // A busy pool is not a failure of the provider.
    expect(client.breakerStates().get('vendor')).toBe('closed')

    // Connections that become free are not for calls that were refused.
    provider.always(whole('{}'))
    for (const call of calls.slice(0, connectionsOfOne)) call.giveUp()
    await Promise.all(failures)
    expect((await ask(slow(), 'acme')).status).toBe(200)
    expect(provider.calls).toHaveLength(connectionsOfOne + 1)
  })

  test('of one company leave connections for others, which are served at once', async () => {
    provider.always(stalled())
    const calls = sendMany(300, 'acme')
    const failures = failuresOf(calls)
    await until('its connections are in use', () => provider.calls.length === connectionsOfOne)
    provider.always(whole('{}'))
    for (const company of ['b', 'c', 'd']) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(slow(), company)))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      for (const { body } of answers) await body.whole(100)
    }
    for (const call of calls) call.giveUp()
    await Promise.all(failures)
  })

  test('a call that has waited for a connection may then take longer than that for its answer', async () => {
    const clock = jumpingClock()
    client = new ProviderClient({ clock })
    provider.always(stalled())
    const running = sendMany(connectionsOfOne, 'acme')
    const failures = failuresOf(running)
    await until('its connections are in use', () => provider.calls.length === connectionsOfOne)
    const waiting = send(slow(), 'acme')
    let answer = () => {}
    provider.next((response) => {
      answer = () => response.end('{}')
    })
    running[0]?.giveUp()
    await until('it is at the provider', () => provider.calls.length === connectionsOfOne + 1)
    clock.jump(60_000)
    answer()
    expect((await waiting.answered).status).toBe(200)
    for (const call of running) call.giveUp()
    await Promise.all(failures)
  })

  test('a waiting call that is given up ends at once and never reaches the provider', async () => {
    provider.always(stalled())
    const running = sendMany(connectionsOfOne, 'acme')
    const failures = failuresOf(running)
    await until('its connections are in use', () => provider.calls.length === connectionsOfOne)
    const waiting = send(slow(), 'acme')
    waiting.giveUp()
    await expect(waiting.answered).rejects.toBeInstanceOf(ProviderUnreachable)
    provider.always(whole('{}'))
    for (const call of running) call.giveUp()
    await Promise.all(failures)
    expect((await ask(slow(), 'acme')).status).toBe(200)
    expect(provider.calls).toHaveLength(connectionsOfOne + 1)
  })
})

describe('replacing the provider table', () => {
  /** Returns the number of open connections at the provider. */
  function answerAndCount(script: Script): () => number {
    const open = new Set<unknown>()
    provider.always((response, call) => {
      const { socket } = response
      if (socket && !open.has(socket)) {
        open.add(socket)
        socket.once('close', () => open.delete(socket))
      }
      return script(response, call)
    })
    return () => open.size
  }

  test('calls to a removed provider finish, then its connections are closed', async () => {
    const { promise: mayEnd, resolve: letEnd } = Promise.withResolvers<void>()
    const open = answerAndCount(streamed('half, ', mayEnd, 'whole'))
    const gone = at({ idleTimeoutMs: 10_000 })
    client.use(tableOf(gone))
    const { body } = await ask(gone)
    client.use({})
    expect(client.breakerStates()).toEqual(new Map())
    letEnd()
    expect(await textOf(body)).toBe('half, whole')
    await until('the connection is closed', () => open() === 0)

    // A call that began under the old table may still fail over to the removed provider.
    expect(await textOf((await ask(gone)).body)).toBe('half, whole')
    await until('the connection is closed again', () => open() === 0)
    expect(provider.calls).toHaveLength(2)
  })

  test('a provider that stays keeps its connections and its breaker, unless its key or model changes', async () => {
    const open = answerAndCount(whole('{}', { status: 500 }))
    client.use(tableOf(at({ apiKey: 'old' })))
    for (let n = 0; n < 5; n++) await (await ask(at({ apiKey: 'old' }))).body.whole(100)
    client.use(tableOf(at({ apiKey: 'old', weight: 2 })))
    const before = open()
    expect(before).toBeGreaterThan(0)
    expect(client.breakerStates().get('vendor')).toBe('open')
    client.use(tableOf(at({ apiKey: 'old', model: 'another' })))
    expect(client.breakerStates().get('vendor')).toBe('closed')
    client.use(tableOf(at({ apiKey: 'new' })))
    expect(client.breakerStates().get('vendor')).toBe('closed')
    await (await ask(at({ apiKey: 'new' }))).body.whole(100)
    expect(open()).toBe(before)
  })
})
