import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { HeldLedger } from '../support/eventStores/heldLedger.ts'
import { CHAT, callIdOf, chatBody, sending } from '../support/harness/gatewayClient.ts'
import {
  type GatewayHarness,
  INTERNAL_TOKEN,
  PRICES,
  price,
  startGatewayHarness,
} from '../support/harness/gatewayHarness.ts'
import {
  completion,
  DONE,
  finishes,
  PROVIDER_KEY,
  says,
  streamed,
  usageBlock,
  whole,
} from '../support/parties/scriptedProvider.ts'
import { until } from '../support/time/until.ts'

let gateway: GatewayHarness
let held: HeldLedger | null = null

beforeAll(async () => {
  gateway = await startGatewayHarness()
})
afterEach(() => held?.release())
afterAll(() => gateway.close())

describe('a charge', () => {
  test("is one event with the price book's amount and what it was computed from, under the request's id", async () => {
    const answer = await gateway.chat(chatBody())
    expect(answer.status).toBe(200)
    expect(answer.headers['x-credits-charged']).toBe('1.25')
    const events = await gateway.eventsOf(callIdOf(answer))
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      type: 'CallCharged',
      stream: `ledger-${gateway.companyId}`,
      data: {
        companyId: gateway.companyId,
        callId: callIdOf(answer),
        keyId: gateway.key.keyId,
        alias: 'svc/chat-default',
        endpoint: '/chat/completions',
        streamed: false,
        tokensIn: 1_000,
        tokensOut: 500,
        amountMicros: '1250000',
        price: { rates: { input: '500000000', output: '1500000000' } },
        lines: [
          { kind: 'input', count: 1_000, rate: '500000000', amountMicros: '500000' },
          { kind: 'output', count: 500, rate: '1500000000', amountMicros: '750000' },
        ],
        ...{ tierFactor: '1000000', abandoned: false },
      },
      metadata: { correlationId: callIdOf(answer), actor: { kind: 'apiKey', id: gateway.key.keyId } },
    })
    expect(gateway.provider.callOf(callIdOf(answer)).completed).toBe(true)
  })

  test.each([
    ['a call without tokens is free, and on record', { prompt_tokens: 0, completion_tokens: 0 }, '0', '0'],
    ['one token is rounded up to the millionth', { prompt_tokens: 1, completion_tokens: 0 }, '0.0005', '500'],
    ['no completion tokens told', { prompt_tokens: 10 }, '0.005', '5000'],
  ])('%s', async (_, usage, credits, micros) => {
    gateway.provider.next(whole(completion({ usage })))
    const answer = await gateway.chat(chatBody())
    expect(answer.headers['x-credits-charged']).toBe(credits)
    expect(await gateway.eventsOf(callIdOf(answer))).toMatchObject([
      { type: 'CallCharged', data: { amountMicros: micros } },
    ])
  })

  test('follows the price book in force when the call was admitted, even if a newer one was published since', async () => {
    const before = await gateway.ending(callIdOf(await gateway.chat(chatBody({ model: 'svc/chat-cheap' }))))
    const { promise: answering, resolve: answer } = Promise.withResolvers<void>()
    const callsBefore = gateway.provider.calls.length
    gateway.provider.next(async (response, call) => {
      await answering
      await whole(completion())(response, call)
    })
    const inFlight = gateway.chat(chatBody({ model: 'svc/chat-cheap' }))
    await until('the call is at the provider', () => gateway.provider.calls.length > callsBefore)
    const bookId = await gateway.publishPrices({ ...PRICES, 'svc/chat-cheap': price(2_000_000_000) })
    await until('the new book is in force', async () => {
      return (await gateway.chat(chatBody({ model: 'svc/chat-cheap' }))).headers['x-credits-charged'] === '5'
    })
    answer()
    const old = await inFlight
    expect(old.headers['x-credits-charged']).toBe('1.25')
    const ending = await gateway.ending(callIdOf(old))
    if (before.type !== 'CallCharged' || ending.type !== 'CallCharged') throw new Error('a call was not charged')
    expect(ending.data.price).toEqual(before.data.price)
    expect(ending.data.price).not.toMatchObject({ bookId })
  })
})

describe('the last byte leaves only after the charge is durable', () => {
  test('a plain answer: no byte of it is sent earlier', async () => {
    held = await gateway.holdLedger()
    const { answer, request } = sending(gateway.url, CHAT, { key: gateway.key.raw, body: chatBody() })
    let begun = false
    answer.then(() => {
      begun = true
    })
    await held.anAppendWaits()
    expect(gateway.provider.lastCall().completed).toBe(true)
    // Anything sent before this request has arrived before its answer.
    await gateway.call('/llm/v1/models')
    expect(begun).toBe(false)
    expect(request.socket?.bytesRead).toBe(0)
    await held.release()
    const { statusCode, headers } = await answer
    expect(statusCode).toBe(200)
    expect(await gateway.eventsOf(String(headers['x-request-id']))).toHaveLength(1)
  })

  test('a stream: neither the event with the last finish_reason nor anything after it is sent earlier', async () => {
    held = await gateway.holdLedger()
    gateway.provider.next(streamed(says('Good '), says('day.'), finishes(), usageBlock(), DONE))
    const stream = await gateway.stream(chatBody({ stream: true }))
    await stream.saw('day.')
    await held.anAppendWaits()
    expect(gateway.provider.lastCall().completed).toBe(true)
    await gateway.call('/llm/v1/models')
    expect(stream.text()).not.toMatch(/"stop"|"usage"|DONE/)
    expect(await gateway.eventsOf(callIdOf(stream))).toHaveLength(0)
    await held.release()
    await stream.saw('[DONE]')
    expect(await stream.ended).toBe('whole')
    expect(await gateway.eventsOf(callIdOf(stream))).toMatchObject([
      { type: 'CallCharged', data: { streamed: true, amountMicros: '1250000' } },
    ])
  })

  test('a stream with fewer choices than requested: its [DONE] is not sent earlier', async () => {
    held = await gateway.holdLedger()
    gateway.provider.next(streamed(says('Good day.'), finishes(0), usageBlock(), DONE))
    const stream = await gateway.stream(chatBody({ stream: true, n: 2 }))
    await held.anAppendWaits()
    await gateway.call('/llm/v1/models')
    expect(stream.text()).not.toContain('DONE')
    await held.release()
    await stream.saw('[DONE]')
  })
})

test('many calls at once are charged once each, and their charges add up', async () => {
  const companyId = await gateway.registerCompany({ credits: '1000' })
  const key = await gateway.mintKey(companyId)
  const balance = async () => (await gateway.call('/llm/v1/usage', { key: key.raw })).json.balance.credits
  await until('the credits are there', async () => (await balance()) === 1_000)
  const script = streamed(says('Good day.'), finishes(), usageBlock(), DONE)
  gateway.provider.always((response, call) =>
    call.body.includes('"stream":true') ? script(response, call) : whole(completion())(response, call),
  )
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => gateway.chat(chatBody({ stream: n % 2 === 0 }), { key: key.raw })),
  )
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  const charges = (await gateway.ledgerOf(companyId)).filter((event) => event.type === 'CallCharged')
  expect(charges.map(({ data }) => data.callId).sort()).toEqual(answers.map(callIdOf).sort())
  expect(await balance()).toBe(1_000 - 60 * 1.25)
})

test('the log has one line per call, without prompt, answer or key', async () => {
  const messages = [{ role: 'user', content: 'the-prompt' }]
  const answer = await gateway.chat(chatBody({ messages }), { headers: { 'x-usage-label': 'night-run' } })
  gateway.provider.next(whole({ error: { message: 'the-refusal' } }, { status: 400 }))
  await gateway.chat(chatBody())
  gateway.flushLog()
  const text = readFileSync(gateway.logFile, 'utf8')
  const lines = text.split('\n').filter((line) => line.includes(callIdOf(answer)))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      ...{ msg: 'call', companyId: gateway.companyId, keyId: gateway.key.keyId, provider: expect.any(String) },
      ...{ alias: 'svc/chat-default', label: 'night-run', outcome: 'charged', streamed: false },
      ...{ tokensIn: 1_000, tokensOut: 500, credits: '1.25' },
      ...{ ms: expect.any(Number), firstByteMs: expect.any(Number), addedMs: expect.any(Number) },
    },
  ])
  expect(lines.join()).not.toContain('traceId')
  for (const secret of ['the-prompt', 'the-refusal', 'Good day', gateway.key.raw, PROVIDER_KEY, INTERNAL_TOKEN]) {
    expect(text).not.toContain(secret)
  }
})
