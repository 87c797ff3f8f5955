import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { HeldLedger } from '../../support/eventStores/heldLedger.ts'
import { callIdOf, sending } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import { PROVIDER_MODEL, stalled, whole } from '../../support/parties/scriptedProvider.ts'
import { steppedClock } from '../../support/time/steppedClock.ts'
import { until } from '../../support/time/until.ts'
import { answering, EMPTY_CV, EMPTY_JOB, PARSE_CV, PARSE_JD } from '../parsingRequests.ts'

let gateway: GatewayHarness
let held: HeldLedger | null = null

beforeAll(async () => {
  // In real time, a minute could begin between two calls of a test of limits.
  gateway = await startGatewayHarness({ clock: steppedClock(Date.UTC(2026, 2, 1, 12)) })
})
afterEach(async () => {
  await held?.release()
  held = null
})
afterAll(() => gateway.close())

const parseCv = (body: object = { text: 'Ada Example, engineer' }, options = {}) =>
  gateway.call(PARSE_CV, { body, ...options })
const ADA = { ...EMPTY_CV, name: 'Ada Example', skills: [{ name: 'Rust', years: 3 }] }

describe('a parse call', () => {
  test('asks the extract alias for the documented shape and answers with the profile', async () => {
    gateway.provider.next(whole(answering(ADA)))
    const answer = await parseCv()
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual(ADA)
    const { path, body } = gateway.provider.callOf(callIdOf(answer))
    expect(path).toBe('/v1/chat/completions')
    const sent = JSON.parse(body.toString())
    expect(sent).toMatchObject({
      model: PROVIDER_MODEL,
      response_format: { type: 'json_schema', json_schema: { strict: true, name: 'cv_profile' } },
      messages: [{ role: 'system' }, { role: 'user', content: 'Ada Example, engineer' }],
    })
    const { schema } = sent.response_format.json_schema
    expect(Object.keys(schema.properties)).toEqual(Object.keys(EMPTY_CV))
    expect(schema.required).toEqual(Object.keys(EMPTY_CV))
    expect(schema.additionalProperties).toBe(false)
  })

  test('of a job posting asks for, and answers with, the shape of a job', async () => {
    const job = { ...EMPTY_JOB, title: 'Engineer', salary: { min: 1, max: 2.5, currency: 'EUR', period: 'hour' } }
    gateway.provider.next(whole(answering(job)))
    const answer = await gateway.call(PARSE_JD, { body: { text: 'Engineer wanted' } })
    expect(answer.json).toEqual(job)
    const sent = JSON.parse(gateway.provider.callOf(callIdOf(answer)).body.toString())
    expect(Object.keys(sent.response_format.json_schema.schema.properties)).toEqual(Object.keys(EMPTY_JOB))
  })

  test('is charged as one call of the alias, under the request id, and reports its cost', async () => {
    gateway.provider.next(whole(answering(ADA)))
    const answer = await parseCv()
    expect(answer.headers['x-credits-charged']).toBe('1.25')
    expect(answer.headers).toMatchObject({
      'x-ratelimit-limit-requests': '100000',
      'x-ratelimit-limit-tokens': '100000000000',
    })
    expect(await gateway.eventsOf(callIdOf(answer))).toMatchObject([
      {
        type: 'CallCharged',
        data: {
          alias: 'svc/extract-default',
          endpoint: '/parse/cv',
          streamed: false,
          tokensIn: 1_000,
          tokensOut: 500,
          amountMicros: '1250000',
        },
      },
    ])
  })

  test('is answered only after its charge is durable', async () => {
    held = await gateway.holdLedger()
    gateway.provider.next(whole(answering(ADA)))
    const { answer, request } = sending(gateway.url, PARSE_CV, { key: gateway.key.raw, body: { text: 'Ada' } })
    await held.anAppendWaits()
    await gateway.call('/llm/v1/models')
    expect(request.socket?.bytesRead).toBe(0)
    await held.release()
    expect((await answer).statusCode).toBe(200)
  })

  test('accepts plain text in the encoding of the text', async () => {
    for (const text of ['Zoë Müller', Buffer.from('Zoë Müller', 'latin1')]) {
      gateway.provider.next(whole(answering(EMPTY_CV)))
      const answer = await gateway.call(PARSE_CV, { body: text, headers: { 'content-type': 'text/plain' } })
      expect(answer.status).toBe(200)
      const sent = JSON.parse(gateway.provider.callOf(callIdOf(answer)).body.toString())
      expect(sent.messages[1].content).toBe('Zoë Müller')
    }
  })

  test('reads JSON that a model put between fences', async () => {
    gateway.provider.next(whole(answering(`\`\`\`json\n${JSON.stringify(ADA)}\n\`\`\``)))
    expect((await parseCv()).json).toEqual(ADA)
  })
})

describe('an answer that does not fit the schema', () => {
  const invalid = { ...ADA, skills: [{ name: 'Rust', years: 'three' }] }

  test('is sent back once with its problems; the call is charged once for both answers', async () => {
    gateway.provider.next(
      whole(answering(invalid)),
      whole(answering(ADA, { prompt_tokens: 2_000, completion_tokens: 100 })),
    )
    const before = gateway.provider.calls.length
    const answer = await parseCv()
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual(ADA)
    const [first, second] = gateway.provider.calls.slice(before).map(({ body }) => JSON.parse(body.toString()))
    expect(second.messages.slice(0, 2)).toEqual(first.messages)
    expect(second.messages.slice(2)).toEqual([
      { role: 'assistant', content: JSON.stringify(invalid) },
      { role: 'user', content: expect.stringContaining('skills.0.years') },
    ])
    expect(second.response_format).toEqual(first.response_format)
    expect(await gateway.eventsOf(callIdOf(answer))).toMatchObject([
      { type: 'CallCharged', data: { tokensIn: 3_000, tokensOut: 600 } },
    ])
  })

  test.each([
    ['no JSON', 'I would rather not.'],
    ['a list', []],
    ['a missing field', { name: 'Ada' }],
    [
      'a date that is none',
      { ...ADA, experience: [{ title: null, company: null, start: 'May', end: null, description: null }] },
    ],
    ['nothing', ''],
  ])('502 api_error LLM_PARSE_FAILED, not charged: %s, twice', async (_, content) => {
    gateway.provider.next(whole(answering(content)), whole(answering(content)))
    const before = gateway.provider.calls.length
    const answer = await parseCv()
    expect(answer.status).toBe(502)
    expect(answer.json.error).toMatchObject({ type: 'api_error', code: 'LLM_PARSE_FAILED' })
    expect(answer.headers['x-credits-charged']).toBeUndefined()
    expect(gateway.provider.calls.length - before).toBe(2)
    const ending = await gateway.ending(callIdOf(answer))
    expect(ending).toMatchObject({ type: 'CallFailed', data: { reason: 'parse_invalid', endpoint: '/parse/cv' } })
    expect(await gateway.eventsOf(callIdOf(answer))).toHaveLength(1)
  })

  test('counts its tokens against the key although it is not charged', async () => {
    const key = await gateway.mintKey(gateway.companyId, { tpm: 2_000 })
    gateway.provider.next(whole(answering('no')), whole(answering('no')))
    expect((await parseCv(undefined, { key: key.raw })).status).toBe(502)
    expect((await parseCv(undefined, { key: key.raw })).status).toBe(429)
  })
})

describe('when the provider fails', () => {
  test.each([
    ['refuses its own account', whole({ error: 'no' }, { status: 401 }), 'provider_401'],
    ['answers without usage', whole({ choices: [] }), 'no_usage'],
    ['answers garbage', whole('<html>'), 'no_usage'],
  ])('503 LLM_GATEWAY_UNAVAILABLE, not charged: it %s', async (_, script, reason) => {
    gateway.provider.next(script)
    const answer = await parseCv()
    expect(answer.status).toBe(503)
    expect(answer.json.error.code).toBe('LLM_GATEWAY_UNAVAILABLE')
    expect(answer.headers['retry-after']).toBeDefined()
    expect(await gateway.ending(callIdOf(answer))).toMatchObject({ type: 'CallFailed', data: { reason } })
  })

  test('503 LLM_GATEWAY_UNAVAILABLE, not charged: it fails during the repair only', async () => {
    gateway.provider.next(whole(answering('no')), (response) => void response.destroy())
    const answer = await parseCv()
    expect(answer.status).toBe(503)
    expect(await gateway.ending(callIdOf(answer))).toMatchObject({ type: 'CallFailed' })
  })

  test('a caller that disconnects is not charged, and the provider call is aborted', async () => {
    const before = gateway.provider.calls.length
    gateway.provider.next(stalled())
    const { leave } = sending(gateway.url, PARSE_CV, { key: gateway.key.raw, body: { text: 'Ada' } })
    await until('the call is at the provider', () => gateway.provider.calls.length > before)
    const call = gateway.provider.lastCall()
    leave()
    await until('the provider is let go', () => call.closed)
    expect(await gateway.ending(String(call.headers['x-request-id']))).toMatchObject({
      type: 'CallFailed',
      data: { reason: 'client_left' },
    })
  })
})

describe('admission', () => {
  test('403 LLM_SCOPE_DENIED without inference:parse', async () => {
    const key = await gateway.mintKey(gateway.companyId, { scopes: ['inference:chat'] })
    for (const path of [PARSE_CV, PARSE_JD]) {
      const { status, json } = await gateway.call(path, { body: { text: 'Ada' }, key: key.raw })
      expect([status, json.error.code]).toEqual([403, 'LLM_SCOPE_DENIED'])
    }
  })

  test('403 LLM_MODEL_NOT_ALLOWED when the key may call no extract alias', async () => {
    const key = await gateway.mintKey(gateway.companyId, { models: ['svc/chat-default'] })
    const { status, json } = await parseCv(undefined, { key: key.raw })
    expect([status, json.error.code]).toEqual([403, 'LLM_MODEL_NOT_ALLOWED'])
  })

  test('402 INSUFFICIENT_CREDITS at zero', async () => {
    const key = await gateway.mintKey(await gateway.registerCompany())
    const { status, json } = await parseCv(undefined, { key: key.raw })
    expect([status, json.error.code]).toEqual([402, 'INSUFFICIENT_CREDITS'])
  })

  test('429 over the requests per minute', async () => {
    const key = await gateway.mintKey(gateway.companyId, { rpm: 1 })
    const { status } = await until('the minute is used up', async () => {
      const answer = await parseCv({}, { key: key.raw })
      return answer.status === 429 ? answer : null
    })
    expect(status).toBe(429)
  })
})
