import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { CLAIM_WAIT_MS } from '../../services/gateway/idempotency/claims.ts'
import { KEPT_ANSWER_BYTES_MAX } from '../../services/gateway/idempotency/keptAnswer.ts'
import { startGateway } from '../../services/gateway/startGateway.ts'
import { removeOldAnswers } from '../../services/reactor/removeOldAnswers.ts'
import { messageObject } from '../support/events/messagesEvents.ts'
import { responseObject } from '../support/events/responsesEvents.ts'
import { type Answer, type CallOptions, CHAT, call, callIdOf, chatBody } from '../support/harness/gatewayClient.ts'
import {
  type GatewayHarness,
  INTERNAL_TOKEN,
  providersOf,
  startGatewayHarness,
} from '../support/harness/gatewayHarness.ts'
import {
  completion,
  DONE,
  finishes,
  type Script,
  says,
  streamed,
  streamedThenCut,
  usageBlock,
  whole,
} from '../support/parties/scriptedProvider.ts'
import { steppedClock } from '../support/time/steppedClock.ts'
import { until } from '../support/time/until.ts'
import { answering, EMPTY_CV, EMPTY_JOB, PARSE_CV, PARSE_JD, upload } from './parsingRequests.ts'

const DAY_MS = 24 * 60 * 60_000
const clock = steppedClock(Date.UTC(2026, 2, 1, 12))
let gateway: GatewayHarness
let names = 0
let name: string

beforeAll(async () => {
  gateway = await startGatewayHarness({ clock })
})
afterAll(() => gateway.close())
beforeEach(() => {
  names += 1
  name = `order-${names}`
  gateway.provider.calls.length = 0
})

const named = (options: CallOptions = {}): CallOptions => ({
  ...options,
  headers: { 'idempotency-key': name, ...options.headers },
})
const chat = (body: CallOptions['body'] = chatBody(), options: CallOptions = {}) => gateway.chat(body, named(options))
const providerCalls = () => gateway.provider.calls.length
const isReplay = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true'
const typesOf = async (answer: Answer) => (await gateway.eventsOf(callIdOf(answer))).map(({ type }) => type)
const refusalOf = ({ status, json }: Answer) => ({ status, ...json.error })
const claims = (set: string) => gateway.runtime.engines.database.query(`update answer_store.claims ${set}`)

/** The gateway knows of its credits, too. */
async function companyWith(credits: string): Promise<string> {
  const companyId = await gateway.registerCompany({ credits })
  const { raw: key } = await gateway.mintKey(companyId)
  const balance = async () => (await gateway.call('/llm/v1/usage', { key })).json.balance.credits
  await until('the credits are known', async () => (await balance()) === Number(credits))
  return companyId
}

/** Answers when the test releases it. */
function held(script: Script = whole(completion())) {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const wait: Script = async (response, received) => {
    await promise
    await script(response, received)
  }
  return { wait, release }
}

/** Resolves when, from now on, a call in progress was found this many times. */
function watchLooks(): (times?: number) => Promise<unknown> {
  const queries = vi.spyOn(gateway.runtime.engines.database, 'query')
  onTestFinished(() => queries.mockRestore())
  const looks = () => queries.mock.calls.filter(([text]) => text.includes('same_body'))
  return (times = 1) => until('a waiting call has polled', () => looks().length > times)
}

describe('the same key and body again', () => {
  async function isAnsweredOnce(send: () => Promise<Answer>): Promise<void> {
    const first = await send()
    const again = await send()
    expect([first.status, isReplay(first)]).toEqual([200, false])
    expect([again.status, isReplay(again)]).toEqual([200, true])
    expect(again.bytes.equals(first.bytes)).toBe(true)
    for (const header of ['content-type', 'content-length', 'cache-control', 'x-request-id', 'x-credits-charged']) {
      expect(again.headers[header]).toBe(first.headers[header])
    }
    for (const { headers } of [first, again]) {
      const { 'x-request-id': id, 'request-id': idOfMessages = id } = headers
      expect(idOfMessages).toBe(id)
    }
    expect(providerCalls()).toBe(1)
    expect(gateway.provider.lastCall().headers['x-request-id']).toBe(callIdOf(first))
    expect(await typesOf(first)).toEqual(['CallCharged'])
    expect(callIdOf(first), 'of version 7, as without a key').toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  }

  const embedded = { object: 'list', data: [], model: 'm', usage: { prompt_tokens: 10, total_tokens: 10 } }
  const text = { object: 'text_completion', choices: [{ index: 0, text: 'Hi.', finish_reason: 'stop' }] }
  test.each([
    ['/chat/completions', chatBody(), completion()],
    ['/completions', { model: 'svc/chat-default', prompt: 'Hello' }, completion(text)],
    ['/embeddings', { model: 'svc/embed-default', input: 'Hello' }, embedded],
    ['/responses', { model: 'svc/chat-default', input: 'Hello' }, responseObject()],
    ['/messages', chatBody({ max_tokens: 9 }), messageObject()],
    ['/parse/cv', { text: 'A CV.' }, answering(EMPTY_CV)],
    ['/parse/jd', { text: 'A posting.' }, answering(EMPTY_JOB)],
  ])('%s: one call, one charge, the first answer byte for byte', async (path, body, answer) => {
    gateway.provider.next(whole(answer))
    await isAnsweredOnce(() => gateway.call(`/llm/v1${path}`, named({ body })))
  })

  test('a stream: replayed as a stream, to its [DONE]', async () => {
    gateway.provider.next(streamed(says('Good '), says('day.'), finishes(), usageBlock(), DONE))
    await isAnsweredOnce(async () => {
      const answer = await chat(chatBody({ stream: true }))
      expect(answer.headers['content-type']).toContain('text/event-stream')
      expect(answer.text).toMatch(/Good .+day\..+"stop".+\[DONE]\n\n$/s)
      return answer
    })
  })

  test('a stream of two choices: replayed in the order in which it was sent', async () => {
    gateway.provider.next(
      streamed(says('a', 0), finishes(0), says('b', 1), says('c', 1), finishes(1), usageBlock(), DONE),
    )
    await isAnsweredOnce(async () => {
      const answer = await chat(chatBody({ stream: true, n: 2 }))
      expect(answer.text.indexOf('"c"')).toBeLessThan(answer.text.indexOf('"stop"'))
      return answer
    })
  })

  test('a stream that the provider answered in one piece', async () => {
    await isAnsweredOnce(() => chat(chatBody({ stream: true })))
  })

  test.each([PARSE_CV, PARSE_JD])(
    '%s: a file, whose parts a client separates in another way each time',
    async (path) => {
      gateway.provider.next(whole(answering(path === PARSE_CV ? EMPTY_CV : EMPTY_JOB)))
      await isAnsweredOnce(() => upload(gateway, path, [{ bytes: 'A text.', name: 'a.txt' }], named()))
    },
  )

  test('needs no balance, but a valid key within its requests per minute', async () => {
    const key = await gateway.mintKey(await companyWith('0.000001'), { rpm: 4 })
    expect((await chat(chatBody(), { key: key.raw })).status).toBe(200)
    expect((await gateway.chat(chatBody(), { key: key.raw })).status).toBe(402)
    const again = await chat(chatBody(), { key: key.raw })
    expect([again.status, again.headers['x-ratelimit-remaining-requests']]).toEqual([200, '0'])
    expect((await chat(chatBody(), { key: key.raw })).status).toBe(429)
    clock.advance(60_000)
    await gateway.revoke(key.keyId)
    await until('it is refused', async () => (await chat(chatBody(), { key: key.raw })).status === 401)
  })

  test('is counted as a replay', async () => {
    const replays = async () => {
      const { text } = await gateway.call('/metrics', { key: INTERNAL_TOKEN })
      return Number(/^tollgate_replays_total (\d+)/m.exec(text)?.[1])
    }
    const before = await replays()
    await chat()
    expect(await replays()).toBe(before)
    await chat()
    expect(await replays()).toBe(before + 1)
  })

  test('is replayed for 24 hours, then made again', async () => {
    const first = await chat()
    clock.advance(DAY_MS - 1)
    expect(isReplay(await chat())).toBe(true)
    clock.advance(1)
    const next = await chat()
    expect([isReplay(next), providerCalls()]).toEqual([false, 2])
    expect(callIdOf(next)).not.toBe(callIdOf(first))
    expect(isReplay(await chat())).toBe(true)
  })

  test('answers older than 24 hours are removed, and no others', async () => {
    const { database } = gateway.runtime.engines
    const count = async () => (await database.query('select from answer_store.claims')).length
    clock.advance(2 * DAY_MS)
    await chat()
    await removeOldAnswers(gateway.runtime)
    expect(await count()).toBe(1)
    expect(isReplay(await chat())).toBe(true)
  })

  test('stored answers are encrypted', async () => {
    const { database } = gateway.runtime.engines
    await chat(chatBody({ messages: [{ role: 'user', content: 'Quite confidential' }] }))
    const rows = await database.query<{ answer: Buffer }>('select * from answer_store.claims')
    const everything = rows.map((row) => `${JSON.stringify(row)}${row.answer.toString('latin1')}`).join()
    expect(everything).not.toMatch(/Good day|confidential|order-|chat\.completion/)
  })
})

describe('another call', () => {
  test.each([
    ['another company', async () => ({ key: (await gateway.mintKey(await companyWith('9'))).raw })],
    ['another API key of the company', async () => ({ key: (await gateway.mintKey()).raw })],
    ['another name', async () => ({ headers: { 'idempotency-key': 'Order-1' } })],
  ])('%s: has an answer of its own', async (_, other) => {
    await chat()
    const answer = await chat(chatBody(), await other())
    expect([answer.status, isReplay(answer), providerCalls()]).toEqual([200, false, 2])
  })

  test('on another path: has its own answer, even with the same body', async () => {
    const body = chatBody({ prompt: 'Hello' })
    await chat(body)
    const answer = await gateway.call('/llm/v1/completions', named({ body }))
    expect([answer.status, isReplay(answer), providerCalls()]).toEqual([200, false, 2])
  })

  test('without the header reads and writes no row', async () => {
    const { database } = gateway.runtime.engines
    await database.transaction(async (sql) => {
      await sql.query('lock table answer_store.claims')
      expect((await gateway.chat(chatBody())).status).toBe(200)
    })
  })

  test('409 IDEMPOTENCY_KEY_REUSED: another body, when the first has ended and while it has not', async () => {
    const { wait, release } = held()
    gateway.provider.next(wait)
    const first = chat()
    await until('the provider is asked', () => providerCalls() === 1)
    const refused = { status: 409, type: 'idempotency_error', code: 'IDEMPOTENCY_KEY_REUSED' }
    expect(refusalOf(await chat(chatBody({ user: 'u' })))).toMatchObject(refused)
    release()
    expect((await first).status).toBe(200)
    const hopeless = await chat(chatBody({ user: 'u' }))
    expect(refusalOf(hopeless)).toMatchObject(refused)
    expect(hopeless.headers['x-should-retry']).toBe('false')
    expect(providerCalls()).toBe(1)
  })

  test.each([
    ['no character', ''],
    ['a space', 'a key'],
    ['256 characters', 'k'.repeat(256)],
    ['letters that are not ASCII', 'clé'],
    ['two of them', ['one', 'two']],
  ])('400 INVALID_REQUEST: %s', async (_, header) => {
    const answer = await chat(chatBody(), { headers: { 'idempotency-key': header } })
    expect(refusalOf(answer)).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(answer.json.error.message).toContain("'Idempotency-Key'")
    expect(providerCalls()).toBe(0)
  })

  test('accepts a key of 255 characters', async () => {
    expect((await chat(chatBody(), { headers: { 'idempotency-key': '~'.repeat(255) } })).status).toBe(200)
  })
})

describe('simultaneous calls with the same key', () => {
  test('at two gateways: the second waits for the answer of the first', async () => {
    const { runtime, provider } = gateway
    const other = await startGateway({ ...runtime, metrics: createMetrics() }, providersOf(provider, [{}]))
    const { wait, release } = held()
    provider.next(wait)
    const first = chat()
    await until('the provider is asked', () => providerCalls() === 1)
    const looked = watchLooks()
    const second = call(other.url ?? '', CHAT, { key: gateway.key.raw, body: chatBody(), ...named() })
    await looked()
    release()
    const answers = await Promise.all([first, second])
    expect(answers.map(isReplay)).toEqual([false, true])
    expect(answers[1].text).toBe(answers[0].text)
    expect(providerCalls()).toBe(1)
    expect(await typesOf(answers[1])).toEqual(['CallCharged'])
    await other.drain(1_000)
  })

  test('thirty, of which the first three fail: one is charged, and the others get its answer', async () => {
    const failing = whole({}, { status: 422 })
    gateway.provider.next(failing, failing, failing)
    const answers = await Promise.all(Array.from({ length: 30 }, () => chat()))
    expect(providerCalls()).toBe(4)
    const good = answers.filter(({ status }) => status === 200)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(3)
    expect(good).toHaveLength(27)
    expect(good.filter(isReplay)).toHaveLength(26)
    expect(new Set(good.map(callIdOf)).size).toBe(1)
    expect(await typesOf(good[0] as Answer)).toEqual(['CallCharged'])
  })

  test('the first one fails: the second one is made', async () => {
    const { wait, release } = held(whole({}, { status: 400 }))
    gateway.provider.next(wait)
    const first = chat()
    await until('the provider is asked', () => providerCalls() === 1)
    const second = chat()
    release()
    expect((await first).status).toBe(400)
    const answer = await second
    expect([answer.status, isReplay(answer), providerCalls()]).toEqual([200, false, 2])
    expect(await typesOf(answer)).toEqual(['CallCharged'])
  })

  test('409 IDEMPOTENCY_IN_PROGRESS: the first takes longer than 30 s', async () => {
    const { wait, release } = held()
    gateway.provider.next(wait)
    const first = chat()
    await until('the provider is asked', () => providerCalls() === 1)
    const looked = watchLooks()
    const second = chat()
    await looked()
    clock.advance(CLAIM_WAIT_MS - 1)
    await looked(2)
    clock.advance(1)
    const refused = await second
    expect(refusalOf(refused)).toMatchObject({
      status: 409,
      type: 'idempotency_error',
      code: 'IDEMPOTENCY_IN_PROGRESS',
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.headers).not.toHaveProperty('x-should-retry')
    release()
    expect((await first).status).toBe(200)
    expect(isReplay(await chat())).toBe(true)
  })
})

describe('a failure frees the key', () => {
  test.each([
    ['a refusal of the provider', whole({ error: { message: 'No.' } }, { status: 422 }), 422],
    ['a provider that is away', whole({}, { status: 500 }), 503],
    ['an answer without usage', whole(completion({ usage: null })), 503],
  ])('%s', async (_, script, status) => {
    gateway.provider.next(script)
    const failed = await chat()
    expect(failed.status).toBe(status)
    const next = await chat()
    expect([next.status, isReplay(next), providerCalls()]).toEqual([200, false, 2])
    expect(callIdOf(next)).not.toBe(callIdOf(failed))
    await until('the failure is on record', async () => (await typesOf(failed)).length > 0)
    expect([await typesOf(failed), await typesOf(next)]).toEqual([['CallFailed'], ['CallCharged']])
  })

  test.each([
    ['a bad body', () => chat('{'), 400],
    ['a model outside the allowlist', () => chat(chatBody({ model: 'svc/none' })), 403],
  ])('%s, at once, also for another body', async (_, refused, status) => {
    for (let n = 0; n < 5; n++) expect((await refused()).status).toBe(status)
    expect((await chat()).status).toBe(200)
  })

  test('no credits: the same call is made after a grant', async () => {
    const companyId = await gateway.registerCompany()
    const { raw: key } = await gateway.mintKey(companyId)
    expect((await chat(chatBody(), { key })).status).toBe(402)
    await gateway.grant(companyId, '5')
    await until('it is made', async () => (await chat(chatBody(), { key })).status === 200)
  })

  test('a stream that was cut', async () => {
    gateway.provider.next(streamedThenCut(says('Good ')))
    const cut = await chat(chatBody({ stream: true }))
    expect(cut.text).toContain('LLM_GATEWAY_UNAVAILABLE')
    gateway.provider.next(streamed(says('Good day.'), finishes(), usageBlock(), DONE))
    const next = await chat(chatBody({ stream: true }))
    expect(next.text).toContain(DONE)
    expect([isReplay(next), providerCalls()]).toEqual([false, 2])
  })

  test('a caller that disconnects before the end', async () => {
    gateway.provider.next(streamed(says('Good '), new Promise(() => {})))
    const stream = await gateway.stream(chatBody({ stream: true }), named())
    await stream.saw('Good ')
    stream.leave()
    gateway.provider.next(streamed(says('Good day.'), finishes(), usageBlock(), DONE))
    const next = await chat(chatBody({ stream: true }))
    expect(next.text).toContain(DONE)
    expect([isReplay(next), providerCalls()]).toEqual([false, 2])
    expect((await gateway.ending(callIdOf(stream))).type).toBe('CallFailed')
  })

  test('a charge of unknown outcome: the next call is a new one, and the first costs nothing', async () => {
    const slow = await startGatewayHarness({ appendTimeoutMs: 150, pursuitMs: 250 })
    const ledger = await slow.holdLedger()
    const uncertain = await slow.chat(chatBody(), named())
    expect(uncertain.status).toBe(503)
    await ledger.release()
    // On a busy machine its charge may take longer than this gateway waits, too.
    const next = await until('a call is served', async () => {
      const answer = await slow.chat(chatBody(), named())
      return answer.status === 200 && answer
    })
    expect(isReplay(next)).toBe(false)
    const types = async (answer: Answer) => (await slow.eventsOf(callIdOf(answer))).map(({ type }) => type)
    const isSettled = async () => ['CallFailed', 'CallCharged,ChargeReversed'].includes((await types(uncertain)).join())
    await until('the first is settled', isSettled)
    expect(await types(next)).toEqual(['CallCharged'])
    await slow.close()
  })
})

describe('409 IDEMPOTENCY_ANSWER_NOT_KEPT: an answer over 10 MiB is charged, and not sent again', () => {
  const large = 'x'.repeat(KEPT_ANSWER_BYTES_MAX)
  const big = { choices: [{ index: 0, message: { role: 'assistant', content: large }, finish_reason: 'stop' }] }
  const pieces = Array.from({ length: 11 }, () => says('x'.repeat(1024 * 1024)))
  test.each([
    ['plain', false, whole(completion(big))],
    ['streamed', true, streamed(...pieces, finishes(), usageBlock(), DONE)],
  ])('%s', async (_, stream, script) => {
    gateway.provider.next(script)
    const first = await chat(chatBody({ stream }))
    expect([first.status, first.bytes.length > KEPT_ANSWER_BYTES_MAX]).toEqual([200, true])
    const again = await chat(chatBody({ stream }))
    expect(refusalOf(again)).toMatchObject({
      status: 409,
      type: 'idempotency_error',
      code: 'IDEMPOTENCY_ANSWER_NOT_KEPT',
      message: expect.stringContaining('was charged'),
    })
    expect(again.headers['x-should-retry']).toBe('false')
    expect(isReplay(again)).toBe(false)
    expect(providerCalls()).toBe(1)
    expect(await typesOf(first)).toEqual(['CallCharged'])
  })
})

describe('a gateway that died', () => {
  const balance = async () => (await gateway.call('/llm/v1/usage')).json.balance.credits

  test('after the charge: the stored answer is sent and not charged again', async () => {
    const first = await chat()
    await until('it is settled', async () => isReplay(await chat()))
    const before = await balance()
    await claims("set settled = false, leased_to = clock_timestamp() - interval '1 ms'")
    const again = await chat()
    expect([isReplay(again), again.text, providerCalls()]).toEqual([true, first.text, 1])
    expect(await typesOf(first)).toEqual(['CallCharged'])
    expect(await balance()).toBe(before)
  })

  test('before the answer, or was only believed dead: the next gateway makes the call and charges it', async () => {
    const { wait, release } = held()
    gateway.provider.next(wait)
    const first = chat()
    await until('the provider is asked', () => providerCalls() === 1)
    await claims("set leased_to = clock_timestamp() - interval '1 ms'")
    const second = await chat()
    expect([second.status, isReplay(second), providerCalls()]).toEqual([200, false, 2])
    release()
    const late = await first
    expect(refusalOf(late)).toMatchObject({ status: 503, code: 'LLM_GATEWAY_UNAVAILABLE' })
    await until('it is on record', async () => (await typesOf(late)).length > 0)
    expect([await typesOf(late), await typesOf(second)]).toEqual([['CallFailed'], ['CallCharged']])
    expect((await chat()).text).toBe(second.text)
  })
})

describe('the Idempotency-Key of an MCP tool', () => {
  const rpc = (id: number, method: string, params: object = {}) =>
    gateway.call('/llm/v1/mcp', named({ body: { jsonrpc: '2.0', id, method, params }, headers: ACCEPTED }))
  const callTool = (id: number, tool: string, args: object) => rpc(id, 'tools/call', { name: tool, arguments: args })
  const ACCEPTED = { accept: 'application/json, text/event-stream' }
  const errorOf = ({ json }: Answer) => JSON.parse(json.result.content[0].text)

  test.each([
    ['chat', chatBody(), completion()],
    ['parse_cv', { text: 'A CV.' }, answering(EMPTY_CV)],
    ['parse_jd', { text: 'A posting.' }, answering(EMPTY_JOB)],
  ])('%s: one call, one charge, the first result under the new id', async (tool, args, answer) => {
    gateway.provider.next(whole(answer))
    const first = await callTool(1, tool, args)
    const again = await callTool(2, tool, args)
    expect([first.status, isReplay(first), first.json.result.isError]).toEqual([200, false, undefined])
    expect([again.status, isReplay(again), again.json]).toEqual([200, true, { ...first.json, id: 2 }])
    for (const header of ['x-request-id', 'x-credits-charged']) {
      expect(again.headers[header]).toBe(first.headers[header])
    }
    expect(providerCalls()).toBe(1)
    expect(await typesOf(first)).toEqual(['CallCharged'])
  })

  test('with other arguments or another tool: a tool error, and no provider call', async () => {
    await callTool(1, 'chat', chatBody())
    const reused = { type: 'idempotency_error', code: 'IDEMPOTENCY_KEY_REUSED' }
    expect(errorOf(await callTool(2, 'chat', chatBody({ temperature: 1 })))).toMatchObject(reused)
    expect(errorOf(await callTool(3, 'parse_cv', { text: 'A CV.' }))).toMatchObject(reused)
    expect(providerCalls()).toBe(1)
  })

  test('is separate from the same key on the REST route', async () => {
    await chat()
    expect(isReplay(await callTool(1, 'chat', chatBody()))).toBe(false)
    expect(providerCalls()).toBe(2)
  })

  test('a failure frees the key', async () => {
    gateway.provider.next(whole('{}', { status: 400 }))
    expect((await callTool(1, 'chat', chatBody())).json.result.isError).toBe(true)
    const again = await callTool(2, 'chat', chatBody())
    expect([again.json.result.isError, isReplay(again)]).toEqual([undefined, false])
  })

  test('has no effect on free tools', async () => {
    const listed = await rpc(1, 'tools/list')
    const models = await callTool(2, 'list_models', {})
    expect([listed.status, models.status, isReplay(models)]).toEqual([200, 200, false])
    expect(models.json.result.isError).toBeUndefined()
  })

  test('is refused if it is not valid', async () => {
    name = 'a b'
    expect(errorOf(await callTool(1, 'chat', chatBody()))).toMatchObject({ type: 'invalid_request_error' })
    expect(providerCalls()).toBe(0)
  })
})
