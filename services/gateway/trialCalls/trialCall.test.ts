import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Provider, ProviderTable } from '../../../capabilities/providers/providersFile.ts'
import { Redaction } from '../../../capabilities/redaction/redaction.ts'
import { TRIAL_CALL_MS_MAX, type TrialCall } from '../../../capabilities/trialCalls/trialCallTable.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import {
  completion,
  PROVIDER_KEY,
  PROVIDER_MODEL,
  type ScriptedProvider,
  stalled,
  startScriptedProvider,
  streamedThenCut,
  whole,
} from '../../../test/support/parties/scriptedProvider.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { until } from '../../../test/support/time/until.ts'
import { makeTrialCall } from './trialCall.ts'

let provider: ScriptedProvider
beforeAll(async () => {
  provider = await startScriptedProvider()
})
afterAll(() => provider.close())

const CALL: TrialCall = { callId: 'call-1', alias: 'acme/fast', provider: 'acme', wire: 'chat' }
const COST = {
  ...{ currency: 'usd', price: { rates: { input: '2000000', output: '4000000' } } },
}

const made = (call: Partial<TrialCall> = {}, changes: Partial<Provider> = {}, clock = systemClock) => {
  const entry: Provider = {
    ...{ name: 'acme', baseUrl: provider.baseUrl, model: PROVIDER_MODEL, apiKey: PROVIDER_KEY, cost: COST },
    ...{ connectTimeoutMs: 10_000, firstByteTimeoutMs: 10_000, idleTimeoutMs: 10_000, ...changes },
  }
  const table: ProviderTable = { 'acme/fast': { maxOutputTokens: 1, providers: [entry] } }
  const redaction = new Redaction({ secrets: [], tables: [table] })
  return makeTrialCall({ ...CALL, ...call }, { clock, table, redaction })
}
const sentBody = () => JSON.parse(provider.lastCall().body.toString())

test('a call that is answered has its status, times, tokens and cost', async () => {
  expect(await made()).toEqual({
    ...{ status: 200, firstByteMs: expect.any(Number), totalMs: expect.any(Number), error: null },
    ...{ tokensIn: 1_000, tokensOut: 500, costMicros: '4000', costCurrency: 'usd' },
  })
  const { path, headers } = provider.lastCall()
  expect([path, headers['x-request-id']]).toEqual(['/v1/chat/completions', 'call-1'])
  expect(headers.authorization).toBe(`Bearer ${PROVIDER_KEY}`)
  expect(sentBody()).toMatchObject({ model: PROVIDER_MODEL, max_tokens: 16 })
})

test("a provider's refusal is explained without its key, however often it fails", async () => {
  const calls = provider.calls.length
  const refusal = { error: { message: `Incorrect API key: ${PROVIDER_KEY}` } }
  for (let n = 0; n < 10; n++) {
    provider.next(whole(refusal, { status: n === 9 ? 401 : 503 }))
    const { status, error } = await made()
    if (n < 9) expect(status).toBe(503)
    else
      expect([status, error]).toEqual([
        401,
        expect.stringMatching(/refused its key.*It says: Incorrect API key: \*\*\*$/),
      ])
  }
  // A circuit breaker would have kept the later ones from the provider.
  expect(provider.calls.length - calls).toBe(10)
})

test('a model that wants max_completion_tokens is asked with it', async () => {
  provider.next(whole({ error: { message: "Use 'max_completion_tokens' instead" } }, { status: 400 }))
  expect(await made()).toMatchObject({ status: 200, error: null })
  expect(sentBody()).toMatchObject({ max_completion_tokens: 16 })
  expect(sentBody().max_tokens).toBeUndefined()
})

test('an API of Messages gets its key and version in headers of its own', async () => {
  provider.next(whole({ type: 'message', usage: { input_tokens: 3, output_tokens: 1 } }))
  expect(await made({ wire: 'messages' }, { wires: ['messages'] })).toMatchObject({
    tokensIn: 3,
    tokensOut: 1,
    error: null,
  })
  const { path, headers } = provider.lastCall()
  expect([path, headers['x-api-key'], headers['anthropic-version']]).toEqual([
    '/v1/messages',
    PROVIDER_KEY,
    '2023-06-01',
  ])
})

test('answers without chargeable usage are faults', async () => {
  provider.next(whole({ ...completion(), usage: undefined }))
  expect((await made()).error).toMatch(/has no usage/)
  provider.next(whole({ error: { message: 'overloaded' } }))
  expect((await made()).error).toMatch(/error with status 200/)
  provider.next(whole('<html>'))
  expect((await made()).error).toMatch(/is not JSON/)
  provider.next(streamedThenCut('data: {}\n\n'))
  expect(await made()).toMatchObject({ status: 200, error: expect.stringMatching(/broke off/) })
})

test('a provider that cannot be reached has no status', async () => {
  const { status, error } = await made({}, { baseUrl: 'http://127.0.0.1:1/v1' })
  expect([status, error]).toEqual([null, expect.stringMatching(/^Provider acme did not answer: .*Check baseUrl/)])
})

test('a call that takes too long is aborted', async () => {
  const clock = new ManualClock()
  const calls = provider.calls.length
  provider.next(stalled())
  const result = made({}, {}, clock)
  await until('the provider has the call', () => provider.calls.length > calls)
  await clock.advance(TRIAL_CALL_MS_MAX)
  expect(await result).toMatchObject({ status: null, error: 'Provider acme did not complete its answer within 30 s.' })
})

test('a call that is retried in another way has the same total time limit', async () => {
  const clock = new ManualClock()
  const calls = provider.calls.length
  const late = Promise.withResolvers<void>()
  provider.next(async (response, call) => {
    await late.promise
    await whole({ error: { message: "Use 'max_completion_tokens' instead" } }, { status: 400 })(response, call)
  }, stalled())
  const result = made({}, {}, clock)
  await until('the provider has the call', () => provider.calls.length === calls + 1)
  await clock.advance(TRIAL_CALL_MS_MAX - 1_000)
  late.resolve()
  await until('the provider has the second question', () => provider.calls.length === calls + 2)
  await clock.advance(1_000)
  expect(await result).toMatchObject({ status: null, error: expect.stringMatching(/within 30 s/) })
})

test('a route that the gateway does not have is a fault', async () => {
  expect((await made({ provider: 'other' })).error).toMatch(/has no provider other for acme\/fast/)
  expect((await made({ alias: 'constructor' })).error).toMatch(/has no provider acme for constructor/)
  expect((await made({ wire: 'messages' })).error).toMatch(/has no API messages for acme/)
})
