import { EventEmitter } from 'node:events'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ProviderClient } from '../../../capabilities/providers/providerClient.ts'
import { PROVIDER_CALLS_WAITING_MAX, PROVIDER_CONNECTIONS_MAX } from '../../../capabilities/providers/providerPool.ts'
import type { Provider } from '../../../capabilities/providers/providersFile.ts'
import { ProviderWatch } from '../../../capabilities/providers/providerWatch.ts'
import { WIRES } from '../../../capabilities/providers/wires.ts'
import { Redaction } from '../../../capabilities/redaction/redaction.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import {
  type ScriptedProvider,
  stalled,
  startScriptedProvider,
  whole,
} from '../../../test/support/parties/scriptedProvider.ts'
import { until } from '../../../test/support/time/until.ts'
import { askProviders, type Question } from './askProviders.ts'

/** The parts of a response that matter here. */
class FakeResponse extends EventEmitter {
  destroyed = false
  leave(): void {
    this.destroyed = true
    this.emit('close')
  }
}

let first: ScriptedProvider
let second: ScriptedProvider
let client: ProviderClient
let failures: string[]
/** Whether the caller of each of these left while a provider was working. */
let leftAtWork: boolean[]
let calledProviders: string[]

beforeEach(async () => {
  ;[first, second] = await Promise.all([startScriptedProvider(), startScriptedProvider()])
  client = new ProviderClient({ clock: systemClock })
  failures = []
  leftAtWork = []
  calledProviders = []
})
afterEach(async () => {
  await client.close()
  await Promise.all([first.close(), second.close()])
})

const at = (provider: ScriptedProvider, name: string): Provider => ({
  name,
  baseUrl: provider.baseUrl,
  model: `${name}-model`,
  apiKey: null,
  connectTimeoutMs: 20_000,
  firstByteTimeoutMs: 20_000,
  idleTimeoutMs: 20_000,
})

const providerWatch = new ProviderWatch({
  clock: systemClock,
  log: pino({ level: 'silent' }),
  metrics: createMetrics(),
})
const redaction = new Redaction({ secrets: [], tables: [] })
const ask = (caller: Question['caller'] = new FakeResponse(), wire: Question['wire'] = 'chat') =>
  askProviders(
    { providers: client, providerWatch, clock: systemClock, redaction },
    {
      alias: 'svc/chat-default',
      providers: [at(first, 'one'), { ...at(second, 'two'), wires: WIRES }],
      wire,
      path: '/chat/completions',
      callId: 'call-1',
      companyId: 'acme',
      caller,
      drain: null,
      sentTo: ({ name }) => void calledProviders.push(name),
      body: ({ model }) => Buffer.from(model),
      failed: (reason, callerLeft) => {
        failures.push(reason)
        leftAtWork.push(callerLeft)
      },
    },
  )

test('a provider that does not serve the API is not asked', async () => {
  const { provider } = await ask(undefined, 'responses')
  expect(provider.name).toBe('two')
  expect(calledProviders).toEqual(['two'])
})

test('asking resolves with the first good answer and its provider', async () => {
  first.next(whole('{}', { status: 503 }))
  const { provider, sent, answer } = await ask()
  expect([provider.name, sent.givenUp, answer.status]).toEqual(['two', false, 200])
  expect([first.lastCall().body.toString(), second.lastCall().body.toString()]).toEqual(['one-model', 'two-model'])
  expect(calledProviders).toEqual(['one', 'two'])
  expect(failures).toEqual([])
  await answer.body.whole(10_000)
})

test('the reason of the last provider is reported once, before the error is thrown', async () => {
  first.next(whole('{}', { status: 503, headers: { 'retry-after': '9' } }))
  second.next((response) => void response.destroy())
  await expect(ask()).rejects.toMatchObject({ error: 'unavailable', status: 503, retryAfterSeconds: 9 })
  expect([failures, leftAtWork]).toEqual([['provider_unreachable'], [false]])
})

test('a provider at its limit of calls is skipped', async () => {
  first.always(stalled())
  const provider = at(first, 'one')
  const call = { path: '/chat/completions', body: Buffer.from('{}'), callId: 'another', companyId: 'acme' }
  // One company gets half of the whole.
  const others = Array.from({ length: (PROVIDER_CONNECTIONS_MAX + PROVIDER_CALLS_WAITING_MAX) / 2 }, () =>
    client.send(provider, call),
  )
  for (const { answered } of others) answered.catch(() => {})
  const { provider: who, answer } = await ask()
  expect(who.name).toBe('two')
  await answer.body.whole(10_000)

  second.always((response) => void response.destroy())
  await expect(ask()).rejects.toMatchObject({ status: 503, retryAfterSeconds: 1 })
  for (const other of others) other.giveUp()
})

test('without a retry-after of a provider, the caller gets a few seconds', async () => {
  for (const provider of [first, second]) provider.next(whole('{}', { status: 500 }))
  await expect(ask()).rejects.toMatchObject({ retryAfterSeconds: 5 })
})

describe('a caller that disconnects', () => {
  test('ends the attempt in progress, and no other provider is asked', async () => {
    const response = new FakeResponse()
    first.next(stalled())
    const asking = ask(response)
    await until('the first is asked', () => first.calls.length === 1)
    response.leave()
    await expect(asking).rejects.toMatchObject({ error: 'unavailable' })
    await until('the first is let go', () => first.lastCall().closed)
    expect(second.calls).toHaveLength(0)
    expect([failures, leftAtWork]).toEqual([['client_left'], [true]])
  })

  test('before any provider was asked: none is asked', async () => {
    const response = new FakeResponse()
    response.leave()
    await expect(ask(response)).rejects.toMatchObject({ error: 'unavailable' })
    expect([first.calls.length, second.calls.length, calledProviders.length]).toEqual([0, 0, 0])
    expect([failures, leftAtWork]).toEqual([['client_left'], [false]])
  })

  test('while its call waits for a connection: no provider was working on it', async () => {
    first.always(stalled())
    const call = { path: '/chat/completions', body: Buffer.from('{}'), callId: 'another', companyId: 'acme' }
    const others = Array.from({ length: PROVIDER_CONNECTIONS_MAX / 2 }, () => client.send(at(first, 'one'), call))
    for (const { answered } of others) answered.catch(() => {})
    const response = new FakeResponse()
    const asking = ask(response)
    response.leave()
    await expect(asking).rejects.toMatchObject({ error: 'unavailable' })
    expect([failures, leftAtWork]).toEqual([['client_left'], [false]])
    for (const other of others) other.giveUp()
  })

  test('leaves no listener behind', async () => {
    const response = new FakeResponse()
    const { answer } = await ask(response)
    await answer.body.whole(10_000)
    expect(response.eventNames()).toEqual([])
  })
})
