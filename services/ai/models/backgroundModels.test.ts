import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AliasProviders, Provider, ProviderTable } from '../../../capabilities/providers/providersFile.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { providersOf } from '../../../test/support/harness/aiHarness.ts'
import { modelScript } from '../../../test/support/parties/modelScripts.ts'
import { type ScriptedProvider, startScriptedProvider, whole } from '../../../test/support/parties/scriptedProvider.ts'
import { BackgroundModels } from './backgroundModels.ts'

const { log } = openLog({ level: 'silent', file: null })
const schema = z.object({ adjustment: z.number() })
const down = whole({ error: 'down' }, { status: 500 })
const says = (content: string) =>
  whole({ choices: [{ message: { content } }], usage: { prompt_tokens: 3, completion_tokens: 2 } })

let provider: ScriptedProvider
let models: BackgroundModels
const open = (providers: ProviderTable) =>
  new BackgroundModels({
    providers,
    secrets: ['a-secret-of-ours'],
    cooldownMs: 60_000,
    clock: systemClock,
    ids: systemIds,
    log,
    metrics: createMetrics(),
  })
beforeEach(async () => {
  provider = await startScriptedProvider()
  provider.always(modelScript({ judgement: () => ({ adjustment: 4, reason: null }) }))
  models = open(providersOf(provider))
})
afterEach(async () => {
  await models.close()
  await provider.close()
})

const extract = () =>
  models.extract({ kind: 'a_test', schemaName: 'verdict', schema, messages: [{ role: 'user', content: 'Well?' }] })
const failureOf = (extraction: Promise<unknown>) =>
  extraction.then(
    () => 'none',
    ({ reason }: { reason: string }) => reason,
  )

test('each service is called by its alias in the wire format, and its answer is parsed', async () => {
  expect(await models.chat('a_test', [{ role: 'user', content: 'Hello' }])).toBe('Good day.')
  expect(await extract()).toEqual({ adjustment: 4 })
  expect(await models.embed('a_test', ['one', 'two'])).toEqual([Float32Array.of(1, 0), Float32Array.of(1, 0)])
  const [chat, extraction, embedding] = provider.calls.map(({ path, body }) => ({
    path,
    body: JSON.parse(body.toString()),
  }))
  expect(chat).toMatchObject({ path: '/v1/chat/completions', body: { messages: [{ content: 'Hello' }] } })
  expect(extraction?.body.response_format).toMatchObject({
    type: 'json_schema',
    json_schema: { name: 'verdict', strict: true, schema: { properties: { adjustment: { type: 'number' } } } },
  })
  expect(embedding).toMatchObject({ path: '/v1/embeddings', body: { input: ['one', 'two'] } })
})

test.each([
  ['refuses', 400],
  ['fails', 500],
  ['answers without JSON', 200],
])('an error text of a provider that %s is stored without secrets', async (_what, status) => {
  const key = Object.values(providersOf(provider))[0]?.providers[0].apiKey ?? ''
  provider.always(whole(`Bearer ${key} ${key} a-secret-of-ours sk-0123456789`, { status }))
  const failure = (await extract().catch((error: unknown) => error)) as Error
  const kept = `${failure.message} ${JSON.stringify(models.operations.read())}`
  expect(kept).toContain('***')
  for (const secret of [key, 'a-secret-of-ours', 'sk-0']) expect(kept).not.toContain(secret)
})

describe('an answer that would be costly to parse', () => {
  test.each([
    ['nested too deep', '['.repeat(1_000_000)],
    ['of too many members', `{${'"a":0,'.repeat(100_000)}"a":0}`],
  ])('%s is not parsed', async (_what, text) => {
    provider.always(whole(text))
    const failure = (await extract().catch((error: unknown) => error)) as Error
    expect(failure.message).toMatch(/exceeds a limit: too (deep|many values)/)
  })
})

describe('an answer that cannot be used', () => {
  test.each([
    ['text that is not JSON', 'well…'],
    ['JSON that does not match the schema', '{"adjustment":"four"}'],
    ['an empty text', ' '],
  ])('%s is an invalid answer, and its tokens are counted', async (_what, content) => {
    provider.always(says(content))
    expect(await failureOf(extract())).toBe('invalid')
    expect(models.operations.read()).toMatchObject([
      { kind: 'a_test', service: 'extract', counts: { invalid: 1, succeeded: 0 }, tokensIn: 3, tokensOut: 2 },
    ])
  })

  test('JSON in a code fence is accepted', async () => {
    provider.always(says('```json\n{"adjustment": 1}\n```'))
    expect(await extract()).toEqual({ adjustment: 1 })
  })

  test('fewer vectors than texts are an invalid answer', async () => {
    provider.always(whole({ data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 1 } }))
    expect(await failureOf(models.embed('a_test', ['one', 'two']))).toBe('invalid')
  })
})

test('five failures open the breaker of that service only; calls are then refused and counted', async () => {
  provider.always(down)
  for (let n = 0; n < 5; n++) expect(await failureOf(extract())).toBe('unreachable')
  const called = provider.calls.length
  expect(await failureOf(extract())).toBe('resting')
  expect(provider.calls.length).toBe(called)
  expect(models.breakerStates()).toEqual({ chat: 'closed', extract: 'open', embed: 'closed' })
  expect(models.cooldownLeftMs('extract')).toBeGreaterThan(50_000)
  expect(models.operations.read()).toMatchObject([
    {
      counts: { unreachable: 5, resting: 1 },
      inProgress: 0,
      lastFailure: { reason: 'resting', message: expect.stringMatching(/^the extract service was not called: /) },
    },
  ])
})

test('a request that the provider refuses does not count against the breaker', async () => {
  provider.always(whole({ error: { message: 'too long' } }, { status: 400 }))
  for (let n = 0; n < 6; n++) expect(await failureOf(extract())).toBe('refused')
  expect(models.breakerStates().extract).toBe('closed')
})

test('the next provider of the alias is tried when the first fails', async () => {
  const second = await startScriptedProvider()
  second.always(modelScript())
  provider.always(down)
  const [own, other] = [providersOf(provider), providersOf(second)]
  const both = (alias: 'svc/chat-default') => [
    ...(own[alias]?.providers ?? []),
    ...(other[alias]?.providers ?? []).map((one) => ({ ...one, name: 'vendor-two' })),
  ]
  const providers = both('svc/chat-default') as [Provider, ...Provider[]]
  const twice = open({ 'svc/chat-default': { maxOutputTokens: 100, providers } })
  expect(await twice.chat('a_test', [{ role: 'user', content: 'Hello' }])).toBe('Good day.')
  expect(second.calls).toHaveLength(1)
  expect(twice.breakerStates().chat).toBe('closed')
  await twice.close()
  await second.close()
})

test('a call for an alias without a provider fails with the name of the alias', async () => {
  const unconfigured = open({})
  await expect(unconfigured.chat('a_test', [])).rejects.toThrow(
    /calls svc\/chat-default, but PROVIDERS_FILE names no provider/,
  )
  await unconfigured.close()
})

test('a provider that does not serve the API of a call is not asked', async () => {
  const entry = providersOf(provider)['svc/chat-default'] as AliasProviders
  const other = open({ 'svc/chat-default': { ...entry, providers: [{ ...entry.providers[0], wires: ['messages'] }] } })
  const before = provider.calls.length
  await expect(other.chat('a_test', [])).rejects.toThrow(/no provider of svc\/chat-default has chat among its wires/)
  expect(provider.calls).toHaveLength(before)
  await other.close()
})
